"""Makes the page's vendored libraries anew from what npm installed: one file each, with versions, licences and hashes.

    npm update && python -m scripts.vendor_web

Preact, its hooks, htm and signals become one file, for two copies of Preact in one page do not work together.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULES = ROOT / "node_modules"
FOLDER = ROOT / "client" / "web" / "vendor"
RECORD = "vendored.json"
LICENCES = "LICENCES.txt"

PREACT = """
export { Component, render } from "preact";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { Signal, batch, computed, effect, signal } from "@preact/signals";
import { h } from "preact";
import htm from "htm";
export const html = htm.bind(h);
"""
QR = 'export { correction, generate } from "lean-qr/nano";'

SOURCES = {
    "preact.js": (PREACT, ("preact", "@preact/signals", "@preact/signals-core", "htm")),
    "lean-qr.js": (QR, ("lean-qr",)),
}
"""What is in each file: its source, and the packages that it is made of."""


def bundle(source: str) -> bytes:
    """One module with all that `source` imports. Raises CalledProcessError."""
    words = ["--bundle", "--format=esm", "--minify", "--target=es2022", "--legal-comments=none", "--log-level=warning"]
    done = subprocess.run(
        [MODULES / ".bin" / "esbuild", *words], cwd=ROOT, input=source.encode(), capture_output=True, check=True
    )
    return done.stdout


def files() -> dict[str, bytes]:
    """All files of the folder that are made here, by name."""
    made = {name: bundle(source) for name, (source, _) in SOURCES.items()}
    record = {
        name: {
            "packages": {package: _described(package) for package in packages},
            "sha256": hashlib.sha256(made[name]).hexdigest(),
        }
        for name, (_, packages) in SOURCES.items()
    }
    licences = [
        f"{package} {_described(package)['version']}\n\n{_licence(package).strip()}\n"
        for _, packages in SOURCES.values()
        for package in packages
    ]
    made[RECORD] = (json.dumps(record, indent=2) + "\n").encode()
    made[LICENCES] = f"\n{'-' * 80}\n\n".join(licences).encode()
    return made


def _described(package: str) -> dict[str, str]:
    described = json.loads((MODULES / package / "package.json").read_text())
    return {"version": described["version"], "licence": described["license"]}


def _licence(package: str) -> str:
    # One says it in the package above: signals' core and signals are one project.
    found = sorted((MODULES / package).glob("LICEN[SC]E*"))
    return found[0].read_text() if found else f"Licence: {_described(package)['licence']}"


def main() -> None:
    """Write them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in files().items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
