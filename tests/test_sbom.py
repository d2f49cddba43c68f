"""The list of what is in the container image: all that is installed is in it, by the name that the world knows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from scripts.sbom import debian_packages
from tests.driver import ROOT, WAIT_S

STATUS = """Package: zlib1g
Status: install ok installed
Version: 1:1.2.13.dfsg-1
Architecture: amd64
Description: compression library - runtime
 Version: none of this package

Package: gone
Status: deinstall ok config-files
Version: 1
Architecture: all
"""


def test_everything_that_is_shipped_is_in_it() -> None:
    """Made as the build makes it: by the program alone, with the Python that has the packages."""
    words = [sys.executable, str(ROOT / "scripts" / "sbom.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=WAIT_S, check=True, cwd=ROOT)
    made = json.loads(done.stdout)
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.5")
    assert made["metadata"]["component"]["purl"] == f"pkg:pypi/parlour@{version('parlour')}"
    names = [each["purl"] for each in made["components"]]
    assert len(set(names)) == len(names)
    pinned = re.findall(r"^([a-z0-9.-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert len(pinned) > 10
    here = {name.partition("@")[0] for name in names}
    # Of what is pinned some is for other systems.
    assert {f"pkg:pypi/{name}@{pin}" for name, pin in pinned if f"pkg:pypi/{name}" in here} <= set(names)
    assert {"pkg:pypi/uvicorn", "pkg:pypi/redis", "pkg:pypi/msgspec", "pkg:generic/cpython"} <= here


def test_debians_packages_are_those_that_are_installed() -> None:
    (found,) = debian_packages(STATUS, 'PRETTY_NAME="Debian"\nID=debian\nVERSION_ID="12"\n')
    assert found["purl"] == "pkg:deb/debian/zlib1g@1%3A1.2.13.dfsg-1?arch=amd64&distro=debian-12"
    assert (found["name"], found["version"]) == ("zlib1g", "1:1.2.13.dfsg-1")


def test_the_image_has_it() -> None:
    text = (ROOT / "deploy" / "Containerfile").read_text()
    made = re.search(r"^RUN (\S+)/bin/python sbom\.py >(\S+)$", text, re.MULTILINE)
    assert made
    assert Path(made[2]).parent == Path(made[1])
    assert f"COPY --from=build {made[1]} {made[1]}\n" in text.rpartition("\nFROM ")[2]
    document = (ROOT / "docs" / "hosting" / "containers.md").read_text()
    assert f"--entrypoint cat parlour {made[2]}" in document
