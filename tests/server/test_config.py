"""The hub's options as they are given: by words, and by the environment."""

from __future__ import annotations

import pytest

from server.config import parse
from server.hub.connections.origins import canonical_origin
from server.hub.limits.proxies import Proxies
from server.store.connection.address import DEFAULT_PREFIX


def refused(words: list[str], environment: dict[str, str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        parse(words, environment)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    return said


def test_lists_come_from_the_environment_with_commas_or_spaces() -> None:
    """As the document says; before, two origins became one that no page has, and two proxies were refused."""
    config = parse(
        [],
        {
            "PARLOUR_ORIGIN": "https://a.example,https://b.example",
            "PARLOUR_PROXY": "10.0.0.1, 10.9.0.0/16",
            "PARLOUR_EMBED": "https://school.example http://10.0.0.1:8080",
            "PARLOUR_LIMIT": "moves=50,pace=2",
            "PARLOUR_LIFETIME": "match=60,ref=1",
            "PARLOUR_NO_CHAT": "on",
            "PARLOUR_INSPECT": "no",
            "PARLOUR_REDIS": "",
            "PARLOUR_PREFIX": "  ",
        },
    )
    assert config.origins == ("https://a.example", "https://b.example")
    assert config.proxies == Proxies(["10.0.0.1", "10.9.0.0/16"])
    assert config.embedders == ("https://school.example", "http://10.0.0.1:8080")
    assert (config.limits.moves, config.limits.pace) == (50, 2)
    assert (config.lifetimes.match, config.lifetimes.ref) == (60, 1)
    assert (config.chat, config.inspect) == (False, False)
    assert (config.redis, config.prefix) == (None, DEFAULT_PREFIX)
    assert config.strangers == ()


def test_words_win_over_the_environment_and_lists_are_added_to() -> None:
    config = parse(
        ["--port", "1", "--origin", "https://c.example"], {"PARLOUR_PORT": "2", "PARLOUR_ORIGIN": "http://d"}
    )
    assert config.port == 1
    assert config.origins == ("http://d", "https://c.example")


def test_variables_of_others_are_passed_over_and_told_of() -> None:
    """Kubernetes has some for each service, and one is named like an option of ours."""
    config = parse(
        [],
        {
            "PARLOUR_SERVICE_HOST": "10.0.0.1",
            "PARLOUR_PORT": "tcp://10.0.0.1:7878",
            "PARLOUR_REDSI": "redis://x",
            "HOME": "/",
        },
    )
    assert config.port == 7878
    assert config.redis is None
    assert config.strangers == (
        "there is no setting PARLOUR_SERVICE_HOST.",
        "there is no setting PARLOUR_PORT.",
        "there is no setting PARLOUR_REDSI. Did you mean PARLOUR_REDIS?",
    )


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"PARLOUR_ORIGIN": "games.example"}, "an origin is written as"),
        ({"PARLOUR_ORIGIN": "https://a.example,null"}, "an origin is written as"),
        ({"PARLOUR_NO_CHAT": "perhaps"}, "PARLOUR_NO_CHAT is yes or no, not 'perhaps'"),
        ({"PARLOUR_PROXY": "proxy.example"}, "a proxy is named by its IP address"),
        ({"PARLOUR_PORT": "http"}, "a port is a number"),
        ({"PARLOUR_IDLE_EXIT": "nan"}, "a time from"),
        ({"PARLOUR_REDIS": "redis://:secret@h/x"}, "is a number"),
        ({"PARLOUR_REDIS_CA": "/ca.pem"}, "Certificates are for a Redis that is named"),
        ({"PARLOUR_PREFIX": "a:b"}, "A prefix has"),
        ({"PARLOUR_LOG_FORMAT": "xml"}, "invalid choice"),
    ],
)
def test_nonsense_is_refused_at_the_start(
    environment: dict[str, str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused([], environment, capsys)
    assert says in said
    assert "secret" not in said


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://games.example", "https://games.example"),
        ("HTTPS://Games.Example/", "https://games.example"),
        ("https://games.example:443", "https://games.example"),
        ("http://games.example:80", "http://games.example"),
        ("http://games.example:443", "http://games.example:443"),
        ("http://games.example:08080", "http://games.example:8080"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("http://[2001:DB8:0::1]:7878", "http://[2001:db8::1]:7878"),
        ("http://192.168.0.7:7878", "http://192.168.0.7:7878"),
    ],
)
def test_an_origin_is_kept_as_browsers_send_it(text: str, origin: str) -> None:
    assert canonical_origin(text) == origin
    assert canonical_origin(origin) == origin


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "*", "games.example", "ws://a", "https://", "https://a/path", "https://a?q", "https://a#f", "https://u@a",
        "https://a:0", "https://a:65536", "https://a:", "https://a b", "https://*.example", "https://[::g]", "https://a,b",
        "https://" + "a" * 64 + ".example", "https://a..example", "file:///x",
    ],
)  # fmt: skip
def test_what_is_no_origin(text: str) -> None:
    assert canonical_origin(text) is None
