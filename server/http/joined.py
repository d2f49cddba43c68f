"""Joins the page's modules into a few files, once: a request for each of 70 modules costs more than its bytes.

What is joined is what lies in the folder, in the order in which a browser would run it: each module in a function of
its own, so that no name of one meets that of another, with its imports as constants before it and its exports as what
the function returns:

    const $12 = (() => {
    const { UNIT } = $7;
    ...the module as it stands...
    return { node, change };
    })();

Modules are numbered and not named, and nothing is returned that no other asks for: that is a hundredth of what is sent.
The joined files are modules themselves and import from each other. This is not all that modules can do, but all that
the page's do: whatever else one did (an `export let`, a circle of imports) is refused with its name, and a test joins
the page that is shipped. For working on the page the hub serves it unjoined, too, at `/?modules`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from posixpath import normpath

FOLDER = "joined"
"""Where the joined files lie, as the browser sees it."""
PARTS = {"start": "start.js", "first": "main.js", "board": "screens/parts/living.js"}
"""The joined files, in the order in which they are filled, and with which module each begins: it holds that one and
what it imports, unless an earlier file has it."""
LATER = "later"
"""The file for all that is only imported by `import()`."""

_IMPORT = re.compile(
    r"""^import\s+(?:\*\s+as\s+(?P<whole>\w+)|\{(?P<names>[^}]*)\})\s+from\s+"(?P<path>\.[^"]+)";""", re.M
)
_DECLARED = re.compile(r"^export\s+(?=(?:async\s+)?(?:function\*?|class|const)\s+(?P<name>[\w$]+))", re.M)
_LISTED = re.compile(r"\bexport\s*\{(?P<names>[^}]*)\};?\s*\Z")
_LATER = re.compile(r"""\bimport\("(?P<path>\.[^"]+\.js)"\)""")
_UNKNOWN = re.compile(r"^(?:import\b(?!\()|export\b).*", re.M)
_COMMENT = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n|^[ \t]*//[^\n]*\n|/\*\*(?:(?!\*/)[^\n])*\*/ ?", re.M | re.S)

_INDENT = re.compile(r"^\s+", re.M)
"""What lines begin with, and empty ones: a fortieth of what is sent. A text over several lines is nothing but a
template of elements, whose own reader drops it (`tests/server/http/test_joined.py` looks for others)."""


def bare(module: str) -> str:
    """A module without its comments: with their types they are nearly a third of what is sent.

    Comments are those on lines of their own, and the types (`/** ... */`) within a line. No text of ours has anything
    that looks like one (`tests/server/http/test_joined.py` has a real parser compare).
    """
    return _COMMENT.sub("", module)


@dataclass(frozen=True)
class Module:
    """One module: what it imports at once (paths) and later (by `import()`), and what it exports, as name and value."""

    path: str
    source: str
    imports: tuple[str, ...]
    later: tuple[str, ...]
    exports: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str, source: str) -> Module:
        """Raises ValueError for what cannot be joined."""

        exports = {found["name"]: found["name"] for found in _DECLARED.finditer(source)}
        if listed := _LISTED.search(source):
            exports |= {name: value for value, name in _pairs(listed["names"])}
        left = _LISTED.sub("", _DECLARED.sub("", _IMPORT.sub("", source)))
        if unknown := _UNKNOWN.search(left):
            raise ValueError(f"{path} cannot be joined: {unknown[0]}")
        return cls(
            path,
            source,
            tuple(dict.fromkeys(_asked(path, found) for found in _IMPORT.finditer(source))),
            tuple(dict.fromkeys(_asked(path, found) for found in _LATER.finditer(source))),
            exports,
        )

    def asks(self) -> Iterator[tuple[str, set[str] | None]]:
        """Of which modules it takes what, None where it may be all."""
        for found in _IMPORT.finditer(self.source):
            path = _asked(self.path, found)
            yield path, None if found["whole"] else {there for there, _ in _pairs(found["names"])}
        for path in self.later:
            yield path, None

    def wrapped(self, part_of: Mapping[str, str], names: Mapping[str, str]) -> str:
        """The module in its function. By their paths: in which joined file each module lies, and what it is called."""

        def now(found: re.Match[str]) -> str:
            name = names[_asked(self.path, found)]
            if found["whole"]:
                return f"const {found['whole']} = {name};"
            words = (one if one == other else f"{one}: {other}" for one, other in _pairs(found["names"]))
            return f"const {{ {', '.join(words)} }} = {name};"

        def later(found: re.Match[str]) -> str:
            path = _asked(self.path, found)
            if part_of[path] == part_of[self.path]:
                return f"Promise.resolve({names[path]})"
            return f'import("./{part_of[path]}.js").then((all) => all.{names[path]})'

        text = _LATER.sub(later, _IMPORT.sub(now, self.source))
        text = _LISTED.sub("", _DECLARED.sub("", text)).strip()
        returned = ", ".join(
            name if name == value else f"{name}: {value}" for name, value in sorted(self.exports.items())
        )
        return f"const {names[self.path]} = (() => {{\n{text}\nreturn {{ {returned} }};\n}})();\n"


def _asked(path: str, found: re.Match[str]) -> str:
    """The path of what the module at `path` imports there."""
    return normpath(f"{PurePosixPath(path).parent}/{found['path']}")


def numbered(paths: Iterable[str]) -> dict[str, str]:
    """What the modules are called in joined files, by their paths: `$0`, `$1` ...; no module uses such names."""
    return {path: f"${number}" for number, path in enumerate(sorted(paths))}


def joined(sources: Mapping[str, str]) -> dict[str, str]:
    """The joined files by their paths. Raises ValueError for modules that cannot be joined, and for any left over.

    `sources` are all modules of the page by their paths, without comments.
    """
    modules = _with_what_is_asked({path: Module.read(path, source) for path, source in sources.items()})
    names = numbered(modules)
    part_of: dict[str, str] = {}
    for part, beginning in PARTS.items():
        for path in _in_order(modules, [beginning], part_of):
            part_of[path] = part
    while wanted := [path for known in part_of for path in modules[known].later if path not in part_of]:
        for path in _in_order(modules, wanted, part_of):
            part_of[path] = LATER
    if left_over := modules.keys() - part_of.keys():
        raise ValueError(f"imported by no module: {', '.join(sorted(left_over))}")
    files = {part: _file(part, modules, part_of, names) for part in dict.fromkeys(part_of.values())}
    return {f"{FOLDER}/{part}.js": _INDENT.sub("", text) for part, text in files.items()}


def _with_what_is_asked(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Of what each exports only what others take; all where one takes the module whole, or later."""
    asked: dict[str, set[str] | None] = {path: set() for path in modules}
    for path, names in (one for module in modules.values() for one in module.asks()):
        known = asked.get(path)
        asked[path] = None if known is None or names is None else known | names
    return {
        path: module
        if (names := asked[path]) is None
        else replace(module, exports={name: value for name, value in module.exports.items() if name in names})
        for path, module in modules.items()
    }


def _in_order(modules: Mapping[str, Module], beginnings: Iterable[str], known: Mapping[str, str]) -> list[str]:
    """The modules that `beginnings` import and they themselves, each behind what it imports; not those `known`."""
    done: list[str] = []
    open_: list[str] = []

    def visit(path: str) -> None:
        if path in known or path in done:
            return
        if path in open_:
            raise ValueError(f"a circle of imports: {' -> '.join([*open_[open_.index(path) :], path])}")
        open_.append(path)
        for imported in modules[path].imports:
            visit(imported)
        done.append(open_.pop())

    for path in beginnings:
        visit(path)
    return done


def _file(part: str, modules: Mapping[str, Module], part_of: Mapping[str, str], names: Mapping[str, str]) -> str:
    """One joined file: what it takes from others, its modules in order, and what others take from it."""
    own = [path for path in part_of if part_of[path] == part]
    taken: dict[str, list[str]] = {}
    for path in dict.fromkeys(imported for one in own for imported in modules[one].imports):
        if part_of[path] != part:
            taken.setdefault(part_of[path], []).append(names[path])
    imports = [f'import {{ {", ".join(sorted(all_))} }} from "./{other}.js";\n' for other, all_ in taken.items()]
    given = sorted({names[path] for path in _asked_for(modules, part_of, part)})
    exports = f"export {{ {', '.join(given)} }};\n" if given else ""
    return "".join([*imports, *(modules[path].wrapped(part_of, names) for path in own), exports])


def _asked_for(modules: Mapping[str, Module], part_of: Mapping[str, str], part: str) -> Iterator[str]:
    """The modules of a file that modules of other files import, now or later."""
    for path, other in part_of.items():
        if other != part:
            yield from (one for one in (*modules[path].imports, *modules[path].later) if part_of[one] == part)


def _pairs(names: str) -> list[tuple[str, str]]:
    """`a, b as c` as pairs of what it is called there and here."""
    pairs = []
    for one in filter(None, (part.strip() for part in names.split(","))):
        there, _, here = one.partition(" as ")
        pairs.append((there.strip(), (here or there).strip()))
    return pairs
