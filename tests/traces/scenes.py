"""All traces: python -m tests.traces.scenes writes them anew (after a change of the client that is meant)."""

from __future__ import annotations

import json

from tests.traces import scenes_of_connections, scenes_of_matches, scenes_of_the_lobby
from tests.traces.replayed import FOLDER, replayed
from tests.traces.scene import SCENES, outcome

READ = (scenes_of_connections, scenes_of_matches, scenes_of_the_lobby)
"""Each puts what it has among the SCENES."""


def documents() -> dict[str, str]:
    """Each trace as the text of its file, with what the Python client makes of it."""
    found = {}
    for name, make in SCENES.items():
        trace = json.loads(json.dumps(make().trace()))
        results = outcome(replayed(trace))
        steps = [step | result for step, result in zip(trace["steps"], results, strict=True)]
        lines = ",\n".join(json.dumps(step, ensure_ascii=False, separators=(",", ":")) for step in steps)
        head = json.dumps({"says": trace["says"], "client": trace["client"]}, ensure_ascii=False)[:-1]
        found[f"{name}.json"] = f'{head}, "steps": [\n{lines}\n]}}\n'
    return found


def main() -> None:
    """Write them; what is made no longer is removed."""
    made = documents()
    for path in FOLDER.glob("*.json"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
