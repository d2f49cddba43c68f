"""The OpenAPI document as one page to read: no script, nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Any

from protocol.errors import SENTENCES
from protocol.schema_words import Style, in_words
from server.http.api import claims
from server.http.api.schema import phrase

_SHEET = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1d2430 }
h2 { margin-top: 2.5rem; border-top: 1px solid #ccd3dd; padding-top: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; background: #f2f4f7; border-radius: 3px }
code { padding: .1em .25em } pre { padding: .7em; overflow-x: auto }
table { border-collapse: collapse; width: 100% } th { text-align: left }
td, th { border-bottom: 1px solid #dde2ea; padding: .3em .6em .3em 0; vertical-align: top }
:target { background: #fff3c4 }
@media (prefers-color-scheme: dark) {
  body { background: #14171c; color: #dfe4ec } code, pre { background: #222832 } :target { background: #4a3f10 }
}
"""


def page(document: dict[str, Any]) -> str:
    """The whole page."""
    info = document["info"]
    operations = [
        _operation(path, method, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]
    types = [_type(name, schema) for name, schema in sorted(document["components"]["schemas"].items())]
    sentences = {claims.DIFFERS: claims.SENTENCE, **{str(code): sentence for code, sentence in SENTENCES.items()}}
    codes = [
        f'<tr id="{escape(code)}"><td><code>{escape(code)}</code></td><td>{_prose(sentence)}</td></tr>'
        for code, sentence in sorted(sentences.items())
    ]
    return "".join(
        [
            '<!doctype html><html lang="en"><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(info['title'])}: HTTP API</title><style>{_SHEET}</style>",
            f"<h1>{escape(info['title'])}: HTTP API</h1>",
            *(f"<p>{_prose(part)}</p>" for part in info["description"].split("\n\n")),
            '<p>The same for programs: <a href="openapi.json">openapi.json</a>; the messages of the WebSocket: ',
            '<a href="asyncapi.json">asyncapi.json</a>.</p>',
            *operations,
            "<h2>Codes of refusal</h2><p>A game may have further codes for moves of its own.</p>",
            f"<table>{''.join(codes)}</table>",
            "<h2>Types</h2>",
            *types,
            "</html>",
        ]
    )


def _operation(path: str, method: str, described: dict[str, Any]) -> str:
    rows = [
        f"<tr><td><code>{escape(p['name'])}</code></td><td>{escape(p['in'])}</td>"
        f"<td>{_schema(p['schema'])}</td><td>{escape(p['description'])}</td></tr>"
        for p in described["parameters"]
    ]
    parts = [
        f'<h2 id="{escape(described["operationId"])}"><code>{method.upper()} {escape(path)}</code></h2>',
        f"<p>{_prose(described['summary'])}</p>",
        f"<p>{_prose(described['description'])}</p>" if described["description"] else "",
        f"<table>{''.join(rows)}</table>" if rows else "",
    ]
    if "requestBody" in described:
        parts.append(f"<p>Body: {_content(described['requestBody'])}</p>")
    for status, answer in described["responses"].items():
        if "content" in answer:
            parts.append(f"<p>Answer {status} {escape(phrase(status))}: {_content(answer)}</p>")
    refusals = [status for status, answer in described["responses"].items() if "content" not in answer]
    parts.append(f"<p>Refused with {', '.join(refusals)}: a {_link('Problem')}.</p>")
    return "".join(parts)


def _type(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    rows = []
    for field, of in schema.get("properties", {}).items():
        optional = "" if field in required else " (optional)"
        rows.append(f"<tr><td><code>{escape(field)}</code>{optional}</td><td>{_schema(of)}</td></tr>")
    about = f"<p>{_prose(schema.get('description', ''))}</p>"
    content = f"<table>{''.join(rows)}</table>" if rows else f"<p>{_schema(schema)}</p>"
    return f'<h3 id="type-{escape(name)}">{escape(name)}</h3>{about}{content}'


def _content(part: dict[str, Any]) -> str:
    return ", ".join(_schema(content["schema"]) for content in part["content"].values())


def _schema(schema: dict[str, Any]) -> str:
    return in_words(schema, _STYLE)


def _link(name: str) -> str:
    return f'<a href="#type-{escape(name)}">{escape(name)}</a>'


def _prose(text: str) -> str:
    """A text with its `code` words set as such."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if odd % 2 else part for odd, part in enumerate(parts))


_STYLE = Style(code=lambda word: f"<code>{escape(word)}</code>", link=_link, plain=escape)
