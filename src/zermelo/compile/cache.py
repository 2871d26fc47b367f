"""Compiled code on disk, each piece named by a hash of everything that it was made from.

One file holds one entry: a line of JSON and the machine code. There is no index to go stale: a change to a rule, a
helper, a base class, a constant or a table changes the name. Files are written aside and renamed, so that readers
never see half of one; whatever cannot be read back is compiled again.
"""

import hashlib
import json
import os
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any


def folder() -> Path:
    """Where compiled code is kept: $ZERMELO_CACHE, or the user's cache folder."""
    own = os.environ.get("ZERMELO_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo" / "native"


def load(name: str) -> tuple[dict[str, Any], bytes] | None:
    """The entry of this name, or None where there is none that can be trusted."""
    try:
        head, _, code = (folder() / name).read_bytes().partition(b"\n")
        header = json.loads(head)
    except (OSError, ValueError):
        return None
    if not isinstance(header, dict) or header.pop("digest", None) != _seal(header, code):
        return None
    return header, code


def save(name: str, header: dict[str, Any], code: bytes) -> None:
    """Keep an entry; a folder that cannot be written to is no error."""
    header = {**header, "digest": _seal(header, code)}
    try:
        folder().mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=folder(), prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(header).encode() + b"\n" + code)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, folder() / name)
    except OSError:
        return


def _seal(header: dict[str, Any], code: bytes) -> str:
    return hashlib.sha256(json.dumps(header).encode() + code).hexdigest()


@cache
def toolchain() -> str:
    """Everything besides the program that machine code depends on."""
    own = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        own.update(path.read_bytes())
    own.update((Path(__file__).parent.parent / "bits.py").read_bytes())
    return f"{own.hexdigest()} {sys.version} {version('numba')} {version('llvmlite')} {version('numpy')}"
