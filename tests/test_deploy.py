"""What lies in deploy/ for containers: it parses, its parts agree, and every option is one that there is."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from server.config import parse
from server.hub.limits.proxies import Proxies
from server.store.address import read_address
from tests.driver import ROOT
from tests.faults.proxies import program_of


def load_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text())


def test_compose_starts_hubs_on_a_durable_store_behind_a_proxy() -> None:
    """Every option is one that there is, and hubs, proxy and network agree."""
    compose = load_yaml("deploy/compose.yaml")
    services = compose["services"]
    hubs, store, proxy = [services["hub-1"], services["hub-2"]], services["store"], services["proxy"]
    for service in (store, proxy):
        mounted = [volume.split(":") for volume in service["volumes"] if volume.startswith("./")]
        assert mounted
        assert all((ROOT / "deploy" / file).is_file() and how == "ro" for file, _, how in mounted)
    assert store["command"][:2] == ["redis-server", "/etc/parlour/redis.conf"]
    for hub in hubs:
        config = parse(hub["command"], {})
        assert (config.host, config.port) == ("0.0.0.0", 7878)
        assert config.redis == read_address("redis://store:6379/0")
        assert config.proxies == Proxies([compose["networks"]["default"]["ipam"]["config"][0]["subnet"]])
        assert int(hub["stop_grace_period"].removesuffix("s")) >= config.drain_s + 10 > 10
        assert hub["depends_on"]["store"]["condition"] == "service_healthy"
        assert hub["read_only"]
        assert hub["cap_drop"] == ["ALL"]
        assert (ROOT / "deploy" / hub["build"]["context"] / hub["build"]["dockerfile"]).is_file()
    behind = re.findall(r"^ +server \w+ (\S+)$", (ROOT / "deploy/haproxy.compose.cfg").read_text(), re.MULTILINE)
    assert behind == [f"{name}:7878" for name in services if name.startswith("hub-")]


@pytest.mark.skipif(not program_of("haproxy"), reason="no haproxy here; scripts/install-test-tools gets it on Debian")
def test_haproxy_understands_what_compose_gives_it(tmp_path: Path) -> None:
    file = tmp_path / "haproxy.cfg"
    file.write_text((ROOT / "deploy/haproxy.compose.cfg").read_text())
    done = subprocess.run([program_of("haproxy"), "-c", "-f", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_is_small_and_runs_as_nobody_in_particular() -> None:
    """Two stages on a slim base, another user, a look at /ready, and a stop that reaches the hub itself."""
    text = (ROOT / "deploy/Containerfile").read_text()
    stages = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
    assert len(stages) == 2
    assert all(stage.startswith("python:") and stage.endswith("-slim") for stage in stages)
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER parlour$", last, re.MULTILINE)
    assert "/ready" in last.partition("HEALTHCHECK")[2]
    assert re.search(r'^ENTRYPOINT \["parlour-server"\]$', last, re.MULTILINE)
    (words,) = re.findall(r"^CMD (\[\"--host.*\])$", last, re.MULTILINE)
    parse(json.loads(words), {})
