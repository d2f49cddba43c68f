"""What the values of options may be: each function reads one, or raises ArgumentTypeError with what is right."""

from __future__ import annotations

import argparse
import re

from server.hub.connections.origins import canonical_origin
from server.hub.connections.public import PublicAddress, read_public
from server.hub.limits.proxies import Proxies
from server.store.connection.address import AddressError, read_prefix


def prefix(value: str) -> str:
    """What names in Redis begin with."""
    try:
        return read_prefix(value)
    except AddressError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def port(value: str) -> int:
    """A TCP port."""
    if not re.fullmatch(r"\d{1,5}", value, re.ASCII) or int(value) > 65535:
        raise argparse.ArgumentTypeError("a port is a number from 0 to 65535")
    return int(value)


def proxy(value: str) -> str:
    """A proxy whose word is believed."""
    try:
        Proxies([value])
    except ValueError:
        raise argparse.ArgumentTypeError(
            "a proxy is named by its IP address, by a network, or by unix: 10.0.0.5, 10.0.0.0/24"
        ) from None
    return value


def origin(value: str) -> str:
    """The origin of a web page."""
    origin = canonical_origin(value)
    if origin is None:
        raise argparse.ArgumentTypeError("an origin is written as https://host or https://host:port")
    return origin


def public(value: str) -> PublicAddress:
    """Where people find the hub."""
    address = read_public(value)
    if address is None:
        raise argparse.ArgumentTypeError("an address is written as https://host/ or https://host/path/")
    return address


def web(value: str) -> str:
    """An address that is asked by HTTP."""
    if not re.fullmatch(r"https?://[^/?#\s]+(/\S*)?", value):
        raise argparse.ArgumentTypeError("an address is written as http://host:port/path")
    return value


def seconds(value: str) -> float:
    """A span of time, in seconds."""
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0
    if not 0.5 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError("a time from 0.5 to 86400 seconds")
    return seconds


def span(value: str) -> float:
    """The same, or 0 for none."""
    return 0.0 if value == "0" else seconds(value)
