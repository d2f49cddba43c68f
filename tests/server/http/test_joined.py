"""Joining modules keeps what they mean; what would mean something else is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from server.http.joined import FOLDER, bare, joined, numbered
from server.http.page import FOLDER as PAGE
from server.http.page import Page
from tests.driver import ROOT

NODE = ROOT / ".venv" / "bin" / "node"
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"

SMALL = {
    "start.js": 'import { say } from "./words/say.js";\nsay("start");\nexport const begun = () => "begun";\n',
    "main.js": (
        'import { begun } from "./start.js";\nimport * as words from "./words/say.js";\n'
        'import {\n  Sum as Total,\n  twice,\n} from "./sum.js";\n'
        'words.say("main", begun(), twice(4), new Total(1, 2).value, Object.keys(words).sort().join());\n'
        'words.say(typeof secret, String(this));\n'
        'import("./later/one.js").then(({ one }) => words.say("one", one)).then(() =>\n'
        '  import("./screens/parts/living.js").then((found) => words.say(Object.keys(found).join())));\n'
        'import("./sum.js").then(({ twice: again }) => words.say(again === twice));\n'
    ),
    "words/say.js": 'const secret = "words";\nexport function say(...words) {\n  console.log(...words, secret);\n}\n',
    "sum.js": (
        'import { say } from "./words/say.js";\nconst secret = "sum";\nsay(secret);\n'
        'export class Sum {\n  constructor(...all) {\n    this.value = all.reduce((a, b) => a + b);\n  }\n}\n'
        "export const twice = (number) => add(number, number);\n"
        "function add(a, b) {\n  return new Sum(a, b).value;\n}\n"
    ),
    "screens/parts/living.js": (
        'import { one } from "../../later/one.js";\nexport const living = one;\nexport async function later() {}\n'
    ),
    "later/one.js": 'import { half } from "../vendor/tiny.js";\nexport const one = half(2);\n',
    "vendor/tiny.js": "var a=b=>b/2;export{a as half};\n",
}  # fmt: skip


def run(folder: Path, sources: dict[str, str], *begin: str) -> str:
    """What the modules say in Node, each begun in this order."""
    for name, source in sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(source)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "run.js").write_text("".join(f'import "./{name}";\n' for name in begin))
    done = subprocess.run([NODE, "run.js"], cwd=folder, capture_output=True, text=True, timeout=100, check=True)
    return done.stdout


def test_joined_modules_do_what_they_do_alone(tmp_path: Path) -> None:
    """Each runs once, behind what it imports, in a scope of its own, under the names by which others import it."""
    alone = run(tmp_path / "alone", SMALL, "start.js", "main.js")
    files = joined(SMALL)
    together = run(tmp_path / "together", files, f"{FOLDER}/start.js", f"{FOLDER}/first.js")
    assert sorted(files) == [f"{FOLDER}/{part}.js" for part in ("board", "first", "start")]
    assert together.splitlines() == alone.splitlines()
    assert len(alone.splitlines()) == 7


def test_a_module_is_in_one_file_and_taken_from_there_by_others() -> None:
    files = joined(SMALL | {"main.js": SMALL["main.js"] + 'import("./last.js");\n', "last.js": ""})
    assert sorted(files)[2] == f"{FOLDER}/later.js"
    names = numbered([*SMALL, "last.js"])
    for name in SMALL:
        assert sum(f"const {names[name]} =" in text for text in files.values()) == 1, name
    first = files[f"{FOLDER}/first.js"]
    assert f'import {{ {names["start.js"]}, {names["words/say.js"]} }} from "./start.js";' in first
    assert f'import("./later.js").then((all) => all.{names["last.js"]})' in first
    assert f"Promise.resolve({names['sum.js']})" in first


def test_only_what_others_take_is_given() -> None:
    """All of a module that one imports later or whole; of the rest what one of them names."""
    more = SMALL | {"later/one.js": SMALL["later/one.js"] + "export const two = 2;\n"}
    more["words/say.js"] += "export const loud = 3;\n"
    files = joined(more)
    assert "return { one, two };" in files[f"{FOLDER}/board.js"]
    assert "return { loud, say };" in files[f"{FOLDER}/start.js"]
    more["main.js"] = more["main.js"].replace("* as words", "{ say }")
    assert "return { say };" in joined(more)[f"{FOLDER}/start.js"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"sum.js": "export let count = 0;"}, "sum.js cannot be joined: export let"),
        ({"sum.js": "export default 1;"}, "sum.js cannot be joined: export default"),
        ({"sum.js": 'export { say } from "./words/say.js";'}, "sum.js cannot be joined: export { say }"),
        ({"sum.js": 'export * from "./words/say.js";'}, "sum.js cannot be joined: export *"),
        ({"sum.js": 'import "./words/say.js";'}, "sum.js cannot be joined: import "),
        ({"sum.js": 'import thing from "./words/say.js";'}, "sum.js cannot be joined: import thing"),
        ({"sum.js": 'import { x } from "somewhere";'}, "sum.js cannot be joined: import { x }"),
        ({"sum.js": "export const { a, b } = {};"}, "sum.js cannot be joined: export const {"),
        ({"words/say.js": 'import { twice } from "../sum.js";'}, "a circle of imports: "),
        ({"alone.js": ""}, "imported by no module: alone.js"),
    ],
)
def test_what_would_mean_something_else_is_refused(change: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=why.replace("*", r"\*").replace("{", r"\{").replace("}", r"\}")):
        joined(SMALL | change)


def test_joined_the_same_each_time() -> None:
    assert joined(SMALL) == joined(dict(reversed(SMALL.items())))


# --- the page that is shipped ---


def shipped() -> dict[str, str]:
    return {
        path.relative_to(PAGE).as_posix(): bare(path.read_text())
        for path in PAGE.rglob("*.js")
        if path.name != "worker.js"
    }


def test_the_page_is_joined_to_few_files() -> None:
    """CK R11.1: on the way to a match are four of them; no module is forgotten, and none is there twice."""
    sources = shipped()
    files = joined(sources)
    assert set(files) == {f"{FOLDER}/{part}.js" for part in ("start", "first", "board", "later")}
    names = numbered(sources)
    for name in sources:
        assert sum(f"const {names[name]} =" in text for text in files.values()) == 1, name
    own = re.compile(r"(?<![\w$\"])\$\d")  # but "$1" is what a text takes from a pattern
    assert not any(own.search(source) for source in sources.values())


def test_what_is_joined_is_javascript(tmp_path: Path) -> None:
    """A real parser finds no fault, nor a name that is used and not there."""
    for name, text in joined(shipped()).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    words = ["--bundle", "--format=esm", "--log-level=warning", "--outdir=" + str(tmp_path / "made"), "--splitting"]
    done = subprocess.run(
        [ESBUILD, *words, str(tmp_path / FOLDER / "first.js")], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_front_page_is_light() -> None:
    """Without its font it is at most 60 kB, of which heads take 1.1: what only later screens need comes with them."""
    page = Page()._ship()
    files = ("joined/start.js", "joined/first.js", "joined/page.css", "icons/parlour.svg", "icons/parlour.webmanifest")
    sent = [page.index, *(page.files[name] for name in files)]
    assert sum(len(one.packed or one.content) for one in sent) <= 60_000 - 1_100


def test_no_text_goes_over_several_lines() -> None:
    """What lines begin with is not sent: it would be missed in a text, and in none but those is it there to be seen."""
    texts = sorted((PAGE / "texts").rglob("*.js"))
    assert texts
    for line in (line for one in texts for line in one.read_text().splitlines()):
        assert line.replace("\\`", "").count("`") % 2 == 0, line
    assert not re.search(r"(?m)^[ \t]", "".join(joined(shipped()).values()))


def test_modules_mean_the_same_without_their_comments(tmp_path: Path) -> None:
    """What is taken out are comments and nothing else: a real parser makes the same of both."""
    before, after = tmp_path / "before", tmp_path / "after"
    names = [path.relative_to(PAGE) for path in PAGE.rglob("*.js") if "vendor" not in path.parts]
    for name in names:
        source = (PAGE / name).read_text()
        for folder, content in ((before, source), (after, bare(source))):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)
    for folder in (before, after):
        subprocess.run(
            [ESBUILD, "--minify", "--format=esm", "--legal-comments=none", "--log-level=error",
             f"--outdir={folder}-made", *(str(folder / name) for name in names)],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
    made = [
        {path.relative_to(f"{folder}-made"): path.read_bytes() for path in Path(f"{folder}-made").rglob("*.js")}
        for folder in (before, after)
    ]
    assert made[0] == made[1]
    assert len(made[0]) == len(names) >= 40
    left = sum(len(bare((PAGE / name).read_text())) for name in names)
    assert left < 0.8 * sum((PAGE / name).stat().st_size for name in names)
