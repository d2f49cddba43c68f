"""The repository's frame: what is shipped, how it is set up, and how it is deployed."""

import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TOP_LEVEL = ("protocol", "server", "client")

WEB = ROOT / "client" / "web"
"""The page: shipped with all its folders as one."""

MAKE_WORDS = (
    *("help", "play", "window", "serve", "setup", "tools", "lock", "clean", "screenshots"),
    *("test", "check", "format", "faults", "fuzz", "perft", "coverage", "bench", "image", "browsers", "page"),
)
SCRIPTS = [
    ROOT / ".ci/run",
    *sorted(path for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix),
]
LOCKS = ("requirements.lock", "requirements-dev.lock")

# A folder of somebody's machine, named from its root. Written so that it does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.~$}/-])/(?:root|work|home|Users)/\w")


def files_in_git() -> list[Path]:
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    return [path for name in in_git("ls-files", "-z").split("\0") if name and (path := ROOT / name).is_file()]


def in_git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def load_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


# --- what is shipped ---


def test_the_release_package_is_small() -> None:
    """At most 10 MB, with everything that the packages bring; what is delivered is weighed in `test_packages.py`."""
    shipped = [path for path in files_in_git() if path.relative_to(ROOT).parts[0] in TOP_LEVEL]
    assert sum(path.stat().st_size for path in shipped) < 10_000_000


def test_every_package_on_disk_is_named_and_every_named_one_exists() -> None:
    on_disk = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for top in TOP_LEVEL
        for path in (ROOT / top).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and WEB not in path.parent.parents
    }
    assert on_disk == set(PYPROJECT["tool"]["setuptools"]["packages"])


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in files_in_git()
        for match in MACHINE_PATH.finditer(path.read_bytes().decode(errors="ignore"))
    ]
    assert found == []


# --- how it is set up and tested ---


def test_no_file_holds_what_a_merge_left() -> None:
    marks = (b"\n<<<<<<< ", b"\n>>>>>>> ")
    left = [path for path in files_in_git() if any(mark in b"\n" + path.read_bytes() for mark in marks)]
    assert not left, "two versions of the same lines, and nobody has chosen"


@pytest.mark.parametrize("word", MAKE_WORDS)
def test_make_knows_the_word(word: str) -> None:
    subprocess.run(["make", "--dry-run", word], cwd=ROOT, check=True, capture_output=True)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_script_is_executable_and_well_formed(script: Path) -> None:
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)


def test_ci_runs_make_test_everywhere_and_builds_the_image_where_an_engine_is() -> None:
    assert "make test" in (ROOT / ".ci/run").read_text().splitlines()
    jobs = load_yaml(".github/workflows/test.yml")["jobs"]
    for job, script in (("test", ".ci/run"), ("image", ".ci/image")):
        assert [step["run"] for step in jobs[job]["steps"] if "run" in step] == [script]


def test_hooks_before_a_commit_are_what_make_check_does() -> None:
    hooks = load_yaml(".pre-commit-config.yaml")["repos"][0]["hooks"]
    words = [hook["entry"].removeprefix("make ") for hook in hooks]
    assert f"check: {' '.join(words)} ##" in (ROOT / "Makefile").read_text()


def locked(name: str) -> dict[str, Requirement]:
    lines = re.findall(r"^[a-z0-9][^\\\n]*", (ROOT / name).read_text(), re.MULTILINE)
    return {canonicalize_name(requirement.name): requirement for requirement in map(Requirement, lines)}


def supported_machines() -> Iterator[dict[str, str]]:
    systems = (("linux", "Linux", "x86_64"), ("linux", "Linux", "aarch64"), ("darwin", "Darwin", "arm64"))
    for (platform, system, machine), version in product(systems, ("3.11.0", "3.11.9", "3.12.4", "3.13.1")):
        yield {
            "sys_platform": platform,
            "platform_system": system,
            "platform_machine": machine,
            "python_full_version": version,
            "python_version": version.rpartition(".")[0],
            "extra": "",
        }


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_what_any_supported_machine_needs(name: str) -> None:
    """pip-compile asks only the machine it runs on; pip refuses what has no hash."""
    lock = locked(name)
    missing = set()
    for package in lock:
        try:
            needs = [Requirement(line) for line in requires(package) or ()]
        except PackageNotFoundError:
            continue  # not for this machine
        missing |= {
            canonicalize_name(need.name)
            for need in needs
            for machine in supported_machines()
            if need.marker is None or need.marker.evaluate(machine)
        } - set(lock)
    assert missing == set()


@pytest.mark.parametrize("name", LOCKS)
def test_lock_pins_what_pyproject_asks_for_and_names_no_index(name: str) -> None:
    lock = locked(name)
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"]
    asked = [Requirement(line) for line in (*project["dependencies"], *extras["server"], *extras["window"])]
    pins = {need.name: lock[canonicalize_name(need.name)].specifier for need in asked}
    assert [
        need.name for need in asked if not any(need.specifier.contains(pin.version) for pin in pins[need.name])
    ] == []
    assert "://" not in (ROOT / name).read_text()


def test_both_locks_agree() -> None:
    play, develop = map(locked, LOCKS)
    assert {package: str(pin) for package, pin in develop.items() if package in play} == {
        package: str(pin) for package, pin in play.items()
    }


# --- what documents say of it ---

NAMED = re.compile(r"`((?:[\w.*-]+/)+[\w.*-]*)`")
"""A file, a folder or, without its ending, a module."""
MAP = "docs/architecture.md"
SHORT_IN_MAP = ("server", "server/hub", "client/web")
"""Where the map's paths also begin, so that they can be short."""


def test_documents_name_what_is_there() -> None:
    """By their paths one finds the way, so a move of a file takes them along."""
    ours = {path.name for path in ROOT.iterdir() if path.is_dir()}
    lost = []
    for document in (ROOT / "CONTRIBUTING.md", ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        is_map = document == ROOT / MAP
        places = [ROOT, *(ROOT / place for place in SHORT_IN_MAP if is_map)]
        for name in NAMED.findall(document.read_text()):
            files = [
                path for place in places for ending in ("", ".py") for path in place.glob(name.strip("/") + ending)
            ]
            if not files and (is_map or name.partition("/")[0] in ours):
                lost.append(f"{document.name}: {name}")
    assert lost == []


def test_each_commit_that_is_named_as_an_example_is_one() -> None:
    named = re.findall(r"`([0-9a-f]{7})`", (ROOT / "CONTRIBUTING.md").read_text())
    files_in_git()
    if in_git("rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("the history is cut off")
    history = in_git("log", "--format=%h", "--abbrev=7")
    assert named
    assert set(named) - set(history.split()) == set()


# --- how it is deployed ---


def test_image_copies_what_its_context_lets_through() -> None:
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", (ROOT / "deploy/Containerfile").read_text(), re.MULTILINE)
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {source for line in copied for source in line.split()} == let_through
    assert all((ROOT / source).exists() for source in let_through)


@pytest.fixture
def shipped_redis() -> Iterator[redis.Redis]:
    """A Redis with the shipped settings; a short path, since that of a Unix socket may have some 100 bytes."""
    if shutil.which("redis-server") is None:
        pytest.skip("no redis-server on this machine")
    with tempfile.TemporaryDirectory(prefix="parlour-", dir="/tmp") as folder:
        socket = f"{folder}/redis.sock"
        options = ["--dir", folder, "--port", "0", "--unixsocket", socket]
        command = ["redis-server", str(ROOT / "deploy/redis.conf"), *options]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                wait_until_ready(server)
                with redis.Redis(unix_socket_path=socket, decode_responses=True) as client:
                    yield client
            finally:
                server.terminate()


def wait_until_ready(server: subprocess.Popen[str]) -> None:
    assert server.stdout is not None
    output = []
    for line in server.stdout:
        if "ready to accept connections" in line.lower():
            return
        output.append(line)
    pytest.fail("redis-server refused redis.conf:\n" + "".join(output))


def test_redis_boots_with_the_shipped_settings(shipped_redis: redis.Redis) -> None:
    promised = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "save": ""}
    assert shipped_redis.config_get(*promised) == promised
    assert shipped_redis.info("persistence")["aof_enabled"] == 1
