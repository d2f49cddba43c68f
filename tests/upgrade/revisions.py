"""Hubs of older releases, from this repository's own history."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.driver import ROOT

NEEDED = ("protocol", "server", "client", "pyproject.toml")
"""What a hub is started from; the page is the client's."""


def is_here(revision: str) -> bool:
    """Whether the history reaches back so far: a shallow clone's does not."""
    words = ["git", "cat-file", "-e", f"{revision}^{{commit}}"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode == 0


@contextmanager
def hub_of(revision: str) -> Iterator[Path]:
    """A folder from which the hub of that revision can be started, as `root` of a HubProcess."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(
            ["git", "archive", "--format=tar", revision, *NEEDED], cwd=ROOT, capture_output=True, check=True
        )
        subprocess.run(["tar", "--extract", "--directory", folder], input=archive.stdout, check=True)
        yield Path(folder)
