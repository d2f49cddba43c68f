"""The AsyncAPI document of the WebSocket, made from the message types."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec

from protocol import limits
from protocol.messages import COMMANDS, NOTIFICATIONS, Command, Message
from protocol.schema_examples import EXAMPLES, short

_REFS = "#/components/schemas/{name}"
_ABOUT = """\
Board games for two and any number of spectators. A client connects to /ws with one of the subprotocols \
parlour.v1.msgpack (binary frames) and parlour.v1.json (text frames), says hello, and then sends commands. \
Each command has a ref of the client's own and is answered once, with that ref."""


def asyncapi(version: str) -> dict[str, Any]:
    """The document (AsyncAPI 3.0), as plain data. `version` is the server's."""
    classes: list[type[Message]] = [*COMMANDS.values(), *NOTIFICATIONS.values()]
    _, schemas = msgspec.json.schema_components(classes, ref_template=_REFS)
    for schema in schemas.values():
        schema["description"] = inspect.cleandoc(schema.get("description", ""))
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Parlour", "version": version, "description": _ABOUT},
        "defaultContentType": "application/json",
        "servers": {"hub": {"host": "localhost:7878", "protocol": "ws", "description": "A hub on this machine."}},
        "channels": {
            "table": {
                "address": "/ws",
                "description": "The one conversation that a connection has.",
                "messages": {name(cls): {"$ref": f"#/components/messages/{name(cls)}"} for cls in classes},
                "bindings": {"ws": {"method": "GET", "headers": _subprotocols(), "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "command": _operation("receive", "What the server is asked.", COMMANDS),
            "notify": _operation("send", "What the server tells.", NOTIFICATIONS),
        },
        "components": {"messages": {name(cls): _message(cls) for cls in classes}, "schemas": schemas},
    }


def name(cls: type[Message]) -> str:
    """What a message is called: the value of its field `type`."""
    return str(cls.__struct_config__.tag)


def _message(cls: type[Message]) -> dict[str, Any]:
    says = inspect.getdoc(cls) or ""
    message: dict[str, Any] = {
        "name": name(cls),
        "title": cls.__name__,
        "summary": " ".join(says.partition("\n\n")[0].split()),
        "payload": {"$ref": _REFS.format(name=cls.__name__)},
    }
    if issubclass(cls, Command):
        message["correlationId"] = {"location": "$message.payload#/ref"}
    if cls in EXAMPLES:
        message["examples"] = [{"payload": short(EXAMPLES[cls])}]
    return message


def _operation(action: str, says: str, classes: dict[str, type[Message]]) -> dict[str, Any]:
    messages = [{"$ref": f"#/channels/table/messages/{tag}"} for tag in classes]
    return {"action": action, "channel": {"$ref": "#/channels/table"}, "summary": says, "messages": messages}


def _subprotocols() -> dict[str, Any]:
    names = [limits.SUBPROTOCOL_MSGPACK, limits.SUBPROTOCOL_JSON]
    return {"type": "object", "properties": {"Sec-WebSocket-Protocol": {"type": "string", "enum": names}}}
