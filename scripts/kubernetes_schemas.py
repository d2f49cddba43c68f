"""Renew `tests/kubernetes`: the API's schemas of the kinds that lie in deploy/kubernetes, and nothing else of them.

    pip install --target FOLDER kubernetes-validate
    python -m scripts.kubernetes_schemas FOLDER

The package has all kinds of all versions, 100 MB. They are Kubernetes' own (Apache License 2.0), made of its OpenAPI by
the authors of https://github.com/willthames/kubernetes-validate, strict: a field that there is not is an error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "tests" / "kubernetes"
VERSIONS = ("1.27", "1.32")
"""The oldest that `deploy/kubernetes` is for, and a newer one."""
KINDS = {
    "Deployment": "deployment-apps-v1",
    "Service": "service-v1",
    "Ingress": "ingress-networking-v1",
    "HorizontalPodAutoscaler": "horizontalpodautoscaler-autoscaling-v2",
    "PodDisruptionBudget": "poddisruptionbudget-policy-v1",
    "NetworkPolicy": "networkpolicy-networking-v1",
}
"""By which name each lies in the package."""


def bare(schema: Any, *, names: bool = False) -> Any:
    """The schema without words for people; `names` where keys are names of fields. References lead within one file."""
    if isinstance(schema, list):
        return [bare(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, value in schema.items():
        if key == "$ref":
            made[key] = f"#/$defs/{value.rpartition('/')[2]}"
        elif names or (key not in {"description", "$schema", "$id"} and not key.startswith("x-")):
            made[key] = bare(value, names=key == "properties" and not names)
    return made


def referred(schema: Any) -> Iterator[str]:
    """The names of all schemas that this one refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.rpartition("/")[2]
            else:
                yield from referred(value)
    elif isinstance(schema, list):
        for one in schema:
            yield from referred(one)


def joined(folder: Path) -> dict[str, Any]:
    """One schema of a version: each kind among `$defs` by its name, with all that it refers to."""
    known = json.loads((folder / "_definitions.json").read_text())["$defs"]
    made = {kind: bare(json.loads((folder / f"{file}.json").read_text())) for kind, file in KINDS.items()}
    todo = list(referred(made))
    while todo:
        name = todo.pop()
        if name not in made:
            made[name] = bare(known[name])
            todo += referred(made[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": dict(sorted(made.items()))}


def main() -> None:
    """Write them anew."""
    package = Path(sys.argv[1]) / "kubernetes_validate" / "kubernetes-json-schema"
    TARGET.mkdir(exist_ok=True)
    for version in VERSIONS:
        made = joined(package / f"v{version}.0-local-strict")
        (TARGET / f"{version}.json").write_text(json.dumps(made, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
