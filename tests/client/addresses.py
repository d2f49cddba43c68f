"""What people type for a server, and what somebody may have them click: addresses, and what is none."""

# ruff: noqa: E501, RUF001

from __future__ import annotations

GOOD = {
    "127.0.0.1": "ws://127.0.0.1:7878/ws",
    "localhost:1": "ws://localhost:1/ws",
    "host:": "ws://host:7878/ws",
    "HOST.Example": "ws://host.example:7878/ws",
    "host.": "ws://host.:7878/ws",
    "_host": "ws://_host:7878/ws",
    "::1": "ws://[::1]:7878/ws",
    "[::1]": "ws://[::1]:7878/ws",
    "[::1]:99": "ws://[::1]:99/ws",
    "[0:0:0:0:0:0:0:1]:99": "ws://[::1]:99/ws",
    "fe80::1%lo": "ws://[fe80::1%lo]:7878/ws",
    "[fe80::1%25lo]:99": "ws://[fe80::1%lo]:99/ws",
    "bücher.example": "ws://xn--bcher-kva.example:7878/ws",
    "xn--bcher-kva.example": "ws://xn--bcher-kva.example:7878/ws",
    "日本.example": "ws://xn--wgv71a.example:7878/ws",
    "127。0。0。1": "ws://127.0.0.1:7878/ws",
    "１２７.0.0.1": "ws://127.0.0.1:7878/ws",
    "http://host/path": "ws://host:80/path/ws",
    "https://host": "wss://host:443/ws",
    "HTTPS://host/": "wss://host:443/ws",
    "ws://host:80/ws": "ws://host:80/ws",
    "host/path": "ws://host:7878/path/ws",
    "x" * 63: f"ws://{'x' * 63}:7878/ws",
}
"""What is meant by each."""
BAD = (
    "", "   ", ".", "..", "a..b", ".a", "x" * 64, f"a.{'x' * 64}.b", "a." * 127 + "abc", "ü" * 60,
    "host:0", "host:99999", "host:abc", "host:-1", "host:+1", "host:7_8", "host:80:80", "1:2:3", "host:７８",
    "[::1", "::1]", "[zz]", "[127.0.0.1]", "[]", ":::", "[::1]x", "[::1]:99999",
    "user@host", "user:pw@host", "@host", "http://@host",
    "ftp://host", "javascript://x", "://", "http://", "http:///x", "host?x", "host#x",
    "h ost", "h\nost", "h\tost", "host\x00", "host\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "h\u202ei", "h\u2066i", "h\u2028i",
    "h\u200dx", "a\xadb", "\ufeffhost", "-host", "host-", "%41", "h%00st", "h%2fx", "\ud800", "host/\x1b[2J", "host/ü",
    "\\\\host\\x", "host\\x", "*", "h*st", "a,b", "<host>", '"host"', "$(host)", "h;st", "\U000e0041",
)  # fmt: skip
"""What is no address, for which reason ever."""
