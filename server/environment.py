"""Options from the environment: `--redis` as PARLOUR_REDIS, of a repeatable one several with commas between."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from difflib import get_close_matches

ENVIRONMENT = "PARLOUR_"
YES, NO = ("1", "yes", "true", "on"), ("0", "no", "false", "off")
NOT_SETTINGS = ("help", "version", "print_completion")
_SERVICE = re.compile(r"(tcp|udp|sctp)://")
"""What Kubernetes puts into PARLOUR_PORT of whatever runs beside a service that is called `parlour`."""


def arguments_from(parser: argparse.ArgumentParser, environment: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The words that say what the environment says, and a sentence for each variable that is none of ours.

    An empty one says nothing: that is how a variable is handed on that nobody has set. Ends the process with a sentence
    and status 2 for a value that is none.
    """
    actions = {action.dest: action for action in parser._actions if action.dest not in NOT_SETTINGS}
    words: list[str] = []
    strangers: list[str] = []
    for name, value in environment.items():
        option = name.removeprefix(ENVIRONMENT).lower()
        if not name.startswith(ENVIRONMENT) or not value.strip():
            continue
        if option not in actions or (option == "port" and _SERVICE.match(value)):
            strangers.append(_stranger(name, option, list(actions)))
        else:
            words += _words(parser, actions[option], name, value)
    return words, strangers


def _words(parser: argparse.ArgumentParser, action: argparse.Action, name: str, value: str) -> list[str]:
    flag = action.option_strings[-1]
    if action.nargs == 0:
        if value.lower() not in YES + NO:
            parser.error(f"{name} is yes or no, not {value!r}")
        return [flag] if value.lower() in YES else []
    if isinstance(action.default, list):
        return [f"{flag}={each}" for each in re.split(r"[,\s]+", value) if each]
    return [f"{flag}={value}"]


def _stranger(name: str, option: str, known: list[str]) -> str:
    near = [each for each in get_close_matches(option, known, n=1) if each != option]
    return f"there is no setting {name}." + (f" Did you mean {ENVIRONMENT}{near[0].upper()}?" if near else "")
