"""The page as far as it can be judged without a browser: made files, vendored libraries, pure modules."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from scripts import vendor_web, web_types
from tests.client.web import boards
from tests.driver import ROOT

MODULES = sorted(Path(__file__).parent.glob("*.test.js"))
NODE = ROOT / ".venv" / "bin" / "node"


def test_what_the_page_knows_of_the_messages_is_made_from_their_types() -> None:
    """Run python -m scripts.web_types after changing a message."""
    for name, text in web_types.files().items():
        assert (web_types.FOLDER / name).read_text(encoding="utf-8") == text, name


def test_vendored_libraries_are_what_was_recorded() -> None:
    record = json.loads((vendor_web.FOLDER / vendor_web.RECORD).read_text())
    scripts = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in vendor_web.FOLDER.glob("*.js")}
    assert scripts == {name: made["sha256"] for name, made in record.items()}
    licences = (vendor_web.FOLDER / vendor_web.LICENCES).read_text()
    for made in record.values():
        for package, described in made["packages"].items():
            assert f"{package} {described['version']}\n" in licences


def test_the_font_is_what_was_recorded() -> None:
    """The letters, weights and features that the page uses of Inter; how it was made stands beside it."""
    folder = vendor_web.FOLDER.parent / "fonts"
    record = json.loads((folder / vendor_web.RECORD).read_text())
    fonts = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.glob("*.woff2")}
    assert fonts == {name: made["sha256"] for name, made in record.items()}
    assert "SIL OPEN FONT LICENSE" in (folder / "LICENCE.txt").read_text()


def test_what_comes_to_a_board_is_not_painted_for_each_picture() -> None:
    """P74: a browser leaves these two to its compositor; for others it paints the board with all that lies on it."""
    styles = (vendor_web.FOLDER.parent / "styles" / "board.css").read_text()
    steps = re.findall(r"@keyframes \w+ \{(.*?)\n\}", styles, re.DOTALL)
    animated = {name for step in steps for name in re.findall(r"^ +([a-z-]+):", step, re.MULTILINE)}
    assert animated == {"transform", "opacity"}


def test_vendored_libraries_are_those_that_the_lock_names() -> None:
    """Run python -m scripts.vendor_web after npm update."""
    locked = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    record = json.loads((vendor_web.FOLDER / vendor_web.RECORD).read_text())
    for made in record.values():
        for package, described in made["packages"].items():
            assert locked[f"node_modules/{package}"]["version"] == described["version"]


@pytest.fixture(scope="session")
def board_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Boards of every game with what the Python client makes of them, for the page's tests to be compared with."""
    path = tmp_path_factory.mktemp("boards") / "boards.json"
    boards.write(path)
    return path


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_pure_modules(module: Path, board_cases: Path) -> None:
    """CK R11.1: `node --test`, whose own report is shown when one of its tests fails."""
    done = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", module],
        capture_output=True, text=True, timeout=100, check=False, env=os.environ | {"PARLOUR_BOARDS": str(board_cases)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert "\n# pass 0\n" not in done.stdout
