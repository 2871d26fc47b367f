"""Compiled code on disk, each piece named by a hash of everything that it was made from.

One file holds one entry: its seal, a line of JSON and the machine code. There is no index to go stale: a change to a
rule, a helper, a base class, a constant or a table changes the name. Files are written aside and renamed, so that
readers never see half of one. What cannot be read back is compiled again, and so is what other users may have written.
"""

import hashlib
import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

Entry = tuple[dict[str, Any], bytes]
"""A header and the code that it describes."""
UNFINISHED = ".new-"
"""Begins the names of files that are being written."""
ABANDONED = 3600.0
"""After so many seconds no process writes to them any more."""
READY = Path(__file__).parent.parent / "ready"
"""Code that comes with the package, where that was built with it: see `zermelo warm --into`."""
BESIDE = {
    "__init__", "aside", "blame", "cache", "machine", "patience", "reach", "routine", "signals", "translate", "workers",
}  # fmt: skip
"""Modules of this room that have no part in what code is written."""
NUMBA_SETTINGS = {
    "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_OPT", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE",
    "NUMBA_ENABLE_AVX", "NUMBA_DEBUGINFO", "NUMBA_BOUNDSCHECK", "NUMBA_LLVM_REFPRUNE_PASS",
}  # fmt: skip
"""Variables of the environment by which Numba writes other code."""
_warned: set[Path] = set()
_cleaned: set[Path] = set()
"""Folders about which this process has warned, and those that it has cleaned."""


def folder() -> Path:
    """Where compiled code is kept: $ZERMELO_CACHE, or the user's cache folder."""
    own = os.environ.get("ZERMELO_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo" / "native"


def load(name: str, fields: Mapping[str, type]) -> Entry | None:
    """The entry of this name, whose header has these fields, or None where there is none that can be trusted."""
    try:
        home = folder()
        if not _is_trusted(home):
            return None
        text = _read(home / name)
    except (OSError, RuntimeError):  # no such entry, no such folder, or no home
        return None
    return _opened(name, text, fields)


def _opened(name: str, text: bytes, fields: Mapping[str, type]) -> Entry | None:
    """What an entry holds, or None where it is not what its name and its header say."""
    seal, _, sealed = text.partition(b"\n")
    if seal != _seal(name, sealed):
        return None
    head, _, code = sealed.partition(b"\n")
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):
        return None
    return (header, code) if _fits(header, fields) else None


def save(name: str, header: dict[str, Any], code: bytes) -> None:
    """Keep an entry; a folder that cannot be written to is no error."""
    sealed = json.dumps(header).encode() + b"\n" + code
    with suppress(OSError, RuntimeError):
        home = folder()
        _make(home)
        if not _is_trusted(home):
            return
        _clean(home)
        handle, aside = tempfile.mkstemp(dir=home, prefix=UNFINISHED)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_seal(name, sealed) + b"\n" + sealed)
                file.flush()
                os.fsync(file.fileno())
            os.replace(aside, home / name)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(aside)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait until no other process is making the entry of this name; where the folder cannot be used, do not wait."""
    door = None
    with suppress(OSError, RuntimeError):
        home = folder()
        _make(home)
        if fcntl is not None and _is_trusted(home):
            door = os.open(home / f"{UNFINISHED}{name}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            fcntl.flock(door, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if door is not None:
            with suppress(OSError):
                os.unlink(home / f"{UNFINISHED}{name}")
            os.close(door)


def _seal(name: str, sealed: bytes) -> bytes:
    """The checksum of an entry and its name: neither a damaged entry fits it, nor one that was renamed."""
    return hashlib.sha256(name.encode() + b"\n" + sealed).hexdigest().encode()


def _fits(header: Any, fields: Mapping[str, type]) -> bool:
    """Whether a header has these fields; lists are of words."""
    return (
        isinstance(header, dict)
        and header.keys() == fields.keys()
        and all(type(header[name]) is kind for name, kind in fields.items())
        and all(type(item) is str for value in header.values() if type(value) is list for item in value)
    )


def _read(path: Path) -> bytes:
    """The contents of an entry. A link is not followed, and the other end of a FIFO is not waited for."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            return b""
        fault = _fault(status)
        if fault:
            _warn(path, f"{fault}; it is compiled again")
            return b""
        return file.read()


def _make(home: Path) -> None:
    """Make the folder, for nobody but its owner."""
    for place in [*reversed(home.parents), home]:
        if not place.is_dir():
            with suppress(FileExistsError):
                place.mkdir(mode=0o700)


def _is_trusted(home: Path) -> bool:
    """Whether nobody else can have put machine code there: it would run with the rights of whoever loads it."""
    fault = _fault(home.stat()) or (home.is_symlink() and _fault(home.lstat()))
    if fault:
        _warn(home, f"{fault}; mend that, or set ZERMELO_CACHE to a folder of your own. Going on without a cache")
    return not fault


def _fault(status: os.stat_result) -> str:
    """Why somebody else may have written a file or folder; empty where nobody can have."""
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid != os.geteuid():
        return "it belongs to another user"
    if not stat.S_ISLNK(status.st_mode) and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write to it"
    return ""


def _warn(path: Path, reason: str) -> None:
    """Say once for a folder, or for a file in it, that it is not trusted, and why."""
    if not _warned & {path, path.parent}:
        _warned.update((path, path.parent))
        print(f"zermelo: the compiled code in {str(path)!r} is not used: {reason}", file=sys.stderr)


def _clean(home: Path) -> None:
    """Remove files that killed processes left unfinished; other processes may still be writing theirs."""
    if home in _cleaned:
        return
    _cleaned.add(home)
    for found in home.glob(UNFINISHED + "*"):
        with suppress(OSError):
            if time.time() - found.lstat().st_mtime > ABANDONED:
                found.unlink()


def name_of(program: str, processor: str) -> str:
    """The name under which code is kept: that of what it means, of the processor, and of what has made it."""
    return _hashed("kept", _writers(), _versions(), processor, program)


def ready_name_of(program: str, level: str) -> str:
    """The name of code that came with the package. Which versions of Numba and its like have made it does not matter:
    nothing that is installed here has a part in it any more."""
    return _hashed("ready", _writers(), level, program)


def load_ready(name: str, fields: Mapping[str, type]) -> Entry | None:
    """The entry of this name that came with the package, which is trusted as the package itself is."""
    try:
        text = (READY / name).read_bytes()
    except OSError:
        return None
    return _opened(name, text, fields)


def _hashed(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@cache
def _writers() -> str:
    """The sources of the modules that write code."""
    own = hashlib.sha256()
    here = Path(__file__).parent
    for path in [*sorted(here.glob("*.py")), here.parent / "bits.py"]:
        if path.stem not in BESIDE:
            own.update(path.read_bytes())
    return own.hexdigest()


@cache
def _versions() -> str:
    """What compiles, and how it is set up; of Python what changes the code of functions."""
    numba = sorted(f"{name}={value}" for name, value in os.environ.items() if name in NUMBA_SETTINGS)
    return repr((sys.version_info[:2], *map(version, ("numba", "llvmlite", "numpy")), numba))
