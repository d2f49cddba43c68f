"""I8: the sources evaluate nothing and load no objects from outside data."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle", "code", "codeop"}


def test_no_source_evaluates_or_unpickles() -> None:
    files = [path for top in ("protocol", "server", "client") for path in (ROOT / top).rglob("*.py")]
    assert len(files) > 50
    assert [f"{path.relative_to(ROOT)}: {found}" for path in files for found in suspicious(path)] == []


def suspicious(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in FORBIDDEN_CALLS:
                found.append(name)
            case ast.Import(names=names):
                found += [name.name for name in names if name.name.partition(".")[0] in FORBIDDEN_MODULES]
            case ast.ImportFrom(module=str() as module) if module.partition(".")[0] in FORBIDDEN_MODULES:
                found.append(module)
    return found
