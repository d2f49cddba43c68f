"""What is in the container image, by name and version (an SBOM, CycloneDX 1.5): `python3 scripts/sbom.py > sbom.json`.

Whoever is told of a hole in a library looks there whether an image has it. The build runs it with the Python that is
shipped; it needs nothing but that, and writes the same whenever the same is installed.
"""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.parse import quote

DPKG = Path("/var/lib/dpkg/status")
SYSTEM = Path("/etc/os-release")
NAME = "parlour"


def component(kind: str, name: str, version: str, purl: str) -> dict[str, Any]:
    """One thing that is installed; `purl` is its name everywhere (https://github.com/package-url)."""
    return {"type": kind, "name": name, "version": version, "purl": purl, "bom-ref": purl}


def python_packages() -> Iterator[dict[str, Any]]:
    """What pip has installed for this Python, ourselves among it."""
    for each in distributions():
        name = re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower()
        yield component("library", name, each.version, f"pkg:pypi/{name}@{quote(each.version)}")


def debian_packages(status: str, system: str) -> Iterator[dict[str, Any]]:
    """What `dpkg` has: its list of packages, and `os-release`, which names the distribution."""
    told = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)"?$', system, re.MULTILINE))
    for block in status.split("\n\n"):
        fields = dict(re.findall(r"^(Package|Status|Version|Architecture): (.+)$", block, re.MULTILINE))
        if fields.get("Status", "").endswith(" installed"):
            name, version = fields["Package"], fields["Version"]
            where = f"arch={fields['Architecture']}&distro={told['ID']}-{told['VERSION_ID']}"
            yield component("library", name, version, f"pkg:deb/{told['ID']}/{name}@{quote(version)}?{where}")


def bill() -> dict[str, Any]:
    """All of it."""
    found = [*python_packages()]
    if DPKG.exists():
        found += debian_packages(DPKG.read_text(), SYSTEM.read_text())
    python = platform.python_version()
    found.append(component("platform", "cpython", python, f"pkg:generic/cpython@{python}"))
    by_ref = {each["bom-ref"]: each for each in found}
    (own,) = (each for each in by_ref.values() if each["purl"].startswith(f"pkg:pypi/{NAME}@"))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**own, "type": "application"}},
        "components": [by_ref[ref] for ref in sorted(by_ref) if ref != own["bom-ref"]],
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1)
    print()
