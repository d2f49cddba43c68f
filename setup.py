"""A build begins with nothing: setuptools would pack what an earlier one has left in `build/`, files gone since, too.

So an update of a checkout (`git pull`, `pip install .`) would bring modules of the page that nobody imports, and games
that are none any more. All else is in `pyproject.toml`.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class CleanBuild(build_py):
    """What makes `build/lib`: modules and the files beside them."""

    def run(self) -> None:
        """Take away what is there, but in a folder that somebody chose."""
        if Path(self.build_lib).resolve() == Path("build", "lib").resolve():
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": CleanBuild})
