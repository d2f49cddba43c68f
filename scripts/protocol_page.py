"""Puts into docs/protocol.md what is made from the message types: messages, codes, the table of offers, and the bot.

python -m scripts.protocol_page           rewrites these parts
python -m scripts.protocol_page --check   fails when one is not up to date
"""

from __future__ import annotations

import sys
from pathlib import Path

from protocol import schema, schema_offers

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "protocol.md"
BEGIN, END = "<!-- made by python -m scripts.protocol_page: {} -->", "<!-- end of {} -->"


def parts() -> dict[str, str]:
    """What is made, by the name that its place in the page has."""
    bot = (ROOT / "examples" / "bot.py").read_text(encoding="utf-8")
    return {
        "bot": f"```python\n{bot}```",
        "messages": schema.messages().rstrip(),
        "codes": schema.codes().rstrip(),
        "offers": schema_offers.table().rstrip(),
    }


def page() -> str:
    """The page as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    for name, made in parts().items():
        begin, end = BEGIN.format(name), END.format(name)
        before, rest = text.split(begin)
        _, after = rest.split(end)
        text = f"{before}{begin}\n{made}\n{end}{after}"
    return text


def main(arguments: list[str]) -> int:
    """Rewrite or check; returns the exit status."""
    wanted = page()
    if "--check" in arguments:
        return 0 if PAGE.read_text(encoding="utf-8") == wanted else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
