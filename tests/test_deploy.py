"""What lies in deploy/ for containers and Kubernetes: it parses, its parts agree, and every option is a real one."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema_rs import Draft202012Validator

from server.admin.cli import parser as admin_parser
from server.config import parse
from server.hub.limits.proxies import Proxies
from server.starting import STORE_WAIT_S
from server.store.connection.address import read_address
from tests.driver import ROOT, WAIT_S
from tests.faults.trial.proxies import program_of


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
    (base,) = re.findall(r"^ARG BASE=(\S+)$", text.partition("\nFROM ")[0], re.MULTILINE)
    assert re.fullmatch(r"docker\.io/library/python:[\d.]+-slim", base)
    assert stages == ["${BASE}"] * 2
    last = text.rpartition("\nFROM ")[2]
    assert re.search(r"^USER parlour$", last, re.MULTILINE)
    assert "/ready" in last.partition("HEALTHCHECK")[2]
    assert re.search(r'^ENTRYPOINT \["parlour-server"\]$', last, re.MULTILINE)
    (words,) = re.findall(r"^CMD (\[\"--host.*\])$", last, re.MULTILINE)
    parse(json.loads(words), {})


# Documents ------------------------------------------------------------------------------------------------------------


def commands() -> list[tuple[str, list[str]]]:
    """Every line that calls the server, in documents and in the files that hosts take: where, and its words."""
    places = [ROOT / "docs" / "hosting.md", *(ROOT / "docs" / "hosting").iterdir(), *(ROOT / "deploy").glob("*.*")]
    found = []
    for place in places:
        for line in re.findall(r"^(?: {4}|# +)parlour-server (.+)$", place.read_text(), re.MULTILINE):
            found.append((place.name, shlex.split(line, comments=True)))
    return found


def test_every_command_in_the_documents_is_one_that_there_is() -> None:
    given = commands()
    assert len(given) > 15
    for place, words in given:
        try:
            if words[0] == "admin":
                admin_parser({}).parse_args(words[1:])
            else:
                parse(words, {})
        except SystemExit as ended:
            pytest.fail(f"{place}: parlour-server {' '.join(words)} ends with {ended.code}")


def test_there_is_a_page_for_each_way_and_each_begins_with_commands() -> None:
    index = (ROOT / "docs" / "hosting.md").read_text()
    for page in (ROOT / "docs" / "hosting").iterdir():
        assert f"(hosting/{page.name})" in index
        title, nothing, first = page.read_text().split("\n")[:3]
        assert title.startswith("# ")
        assert nothing == ""
        assert first.startswith("    "), page.name


# Kubernetes -----------------------------------------------------------------------------------------------------------


KUBERNETES = ROOT / "deploy" / "kubernetes"
SCHEMAS = sorted((ROOT / "tests" / "kubernetes").glob("*.json"))
"""The API's own, of the oldest version that the manifests are for, and of a newer one."""


def manifests() -> dict[str, Any]:
    """Each manifest by its kind, as it lies there."""
    named: list[str] = load_yaml("deploy/kubernetes/kustomization.yaml")["resources"]
    assert sorted([*named, "kustomization.yaml"]) == sorted(path.name for path in KUBERNETES.iterdir())
    read = [load_yaml(f"deploy/kubernetes/{name}") for name in named]
    return {one["kind"]: one for one in read}


def test_manifests_agree_with_each_other_and_with_the_hub() -> None:
    found = manifests()
    pod = found["Deployment"]["spec"]["template"]["spec"]
    (hub,) = pod["containers"]
    config = parse(hub["args"], {one["name"]: one.get("value", "redis://redis") for one in hub["env"]})
    assert config.strangers == ()
    assert hub["ports"] == [{"name": "http", "containerPort": config.port}]
    slept = int(hub["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] >= slept + config.drain_s + 15
    probes = {probe: hub[f"{probe}Probe"]["httpGet"] for probe in ("startup", "readiness", "liveness")}
    assert {probe: get["path"] for probe, get in probes.items()} == {
        "startup": "/ready", "readiness": "/ready", "liveness": "/health",
    }  # fmt: skip
    assert all(get["port"] == "http" for get in probes.values())
    waits_s = hub["startupProbe"]["periodSeconds"] * hub["startupProbe"]["failureThreshold"]
    assert waits_s > STORE_WAIT_S, "or a hub that waits for its store is killed"
    assert hub["securityContext"]["readOnlyRootFilesystem"]
    assert hub["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    assert pod["securityContext"]["runAsNonRoot"]

    assert found["Service"]["spec"]["ports"][0]["targetPort"] == "http"
    (rule,) = found["Ingress"]["spec"]["rules"]
    assert rule["http"]["paths"][0]["backend"]["service"] == {"name": "parlour", "port": {"name": "http"}}
    assert config.public is not None
    assert config.public.url == f"https://{rule['host']}/"
    assert found["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["name"] == found["Deployment"]["metadata"]["name"]
    assert found["HorizontalPodAutoscaler"]["spec"]["metrics"][0]["pods"]["metric"]["name"] == "parlour_connections"


@pytest.mark.skipif(not shutil.which("kubectl"), reason="no kubectl here, whose kustomize puts the manifests together")
def test_kustomize_puts_them_together_as_the_api_takes_them(tmp_path: Path) -> None:
    done = subprocess.run(
        ["kubectl", "kustomize", str(KUBERNETES)],
        capture_output=True, text=True, check=False, timeout=WAIT_S, env={**os.environ, "HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    made = list(yaml.safe_load_all(done.stdout))
    assert {one["kind"] for one in made} == set(manifests())
    assert {one["metadata"]["namespace"] for one in made} == {"parlour"}
    assert len(SCHEMAS) == 2
    for file in SCHEMAS:
        known = json.loads(file.read_text())
        for one in made:
            fits = Draft202012Validator({**known, "$ref": f"#/$defs/{one['kind']}"})
            assert [(error.instance_path, error.message) for error in fits.iter_errors(one)] == [], file.stem
