"""Writes all playthroughs anew from their first lines, and one for each game that has none: then read the diff."""

from __future__ import annotations

from server.games import load_catalogue
from tests.playthroughs.playthrough import FILES, SUFFIX, Header, default_header, write_out


def main() -> None:
    catalogue = load_catalogue()
    FILES.mkdir(exist_ok=True)
    headers = {path: Header.read(path.read_text("utf-8")) for path in sorted(FILES.glob(f"*{SUFFIX}"))}
    for missing in sorted(set(catalogue) - {header.game for header in headers.values()}):
        headers[FILES / f"{missing}{SUFFIX}"] = default_header(catalogue[missing])
    for path, header in headers.items():
        path.write_text(write_out(header, catalogue[header.game]), "utf-8")
        print(path.name)


main()
