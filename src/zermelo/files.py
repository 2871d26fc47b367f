"""Files that are written for people: whole or not at all, and never in the place of what is no file.

A link stays, and what it points to is written. `-`, `/dev/stdout` and the like stand for what is open already.
"""

import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from zermelo.errors import BadParameter

Path = str | os.PathLike[str]

OUTPUT = 1
STREAMS = {"-": OUTPUT, "/dev/stdout": OUTPUT, "/dev/stderr": 2}
DESCRIPTOR = re.compile(r"/(?:dev|proc/self)/fd/([0-9]{1,9})")
MOST_LINKS = 40
"""So many links in a row are followed; more are taken for a circle."""
KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO, no regular file",
    stat.S_IFSOCK: "a socket, no regular file",
    stat.S_IFCHR: "a device, no regular file",
    stat.S_IFBLK: "a device, no regular file",
}


def write(path: Path, content: str | bytes) -> None:
    """Write the file whole or not at all: aside, to the disk, then renamed. One that was there keeps its rights."""
    with told(path):
        data = content.encode() if isinstance(content, str) else content
        place = _place(path)
        if isinstance(place, int):
            _pour(place, data)
        else:
            _require_folder(place)
            _replace(place, data)


def append(path: Path, text: str, *, apart: str) -> None:
    """Add text to the file; where its last line was cut off, `apart` comes first."""
    data = text.encode("utf-8", "replace")
    with told(path):
        place = _place(path)
        if isinstance(place, int):
            _pour(place, data)
            return
        with open(place, "a+b") as file:
            cut_off = False
            if file.seek(0, os.SEEK_END):
                file.seek(-1, os.SEEK_END)
                cut_off = file.read(1) != b"\n"
            file.write(apart.encode() + data if cut_off else data)


def open_to_add(path: Path) -> BinaryIO:
    """The file, open for reading and for adding to it."""
    with told(path):
        place = _place(path)
        if isinstance(place, int):
            raise BadParameter(f"{_shown(path)} cannot be read again: name a file")
        return open(place, "a+b")


def require_writable(path: Path, *, whole: bool = True) -> None:
    """Refuse a place where nothing can be written, before any work is done. A file that is only added to needs no room
    beside it."""
    with told(path):
        place = _place(path)
        if not isinstance(place, int) and (whole or not os.path.exists(place)):
            _require_folder(place)


def is_output(path: Path) -> bool:
    """Whether the name stands for the standard output."""
    try:
        return _descriptor(_followed(path)) == OUTPUT
    except (OSError, ValueError):
        return False


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell what goes wrong with a file in one line."""
    try:
        yield
    except (BadParameter, BrokenPipeError):
        raise
    except (OSError, ValueError) as error:
        raise _refusal(path, getattr(error, "strerror", None) or str(error)) from None


def _shown(path: Path) -> str:
    return repr(os.fspath(path))


def _refusal(path: Path, reason: str) -> BadParameter:
    return BadParameter(f"{_shown(path)} cannot be written: {reason}")


def _place(path: Path) -> str | int:
    """Where the file lies, all links followed, or what is open under this name already."""
    place = _followed(path)
    descriptor = _descriptor(place)
    if descriptor is not None:
        return descriptor
    with suppress(FileNotFoundError):
        kind = stat.S_IFMT(os.stat(place or ".").st_mode)
        if kind != stat.S_IFREG:
            raise _refusal(path, f"it is {KINDS.get(kind, 'no regular file')}")
    return place


def _followed(path: Path) -> str:
    """The name at the end of the links. Those that stand for open files are not followed: nothing can be renamed to
    what they point to."""
    place = os.fspath(path)
    for _ in range(MOST_LINKS):
        if _descriptor(place) is not None or not os.path.islink(place):
            return place
        place = os.path.join(os.path.dirname(place), os.readlink(place))
    raise OSError("it is a link that leads to itself")


def _descriptor(place: str) -> int | None:
    if place in STREAMS:
        return STREAMS[place]
    number = DESCRIPTOR.fullmatch(place)
    return None if number is None else int(number[1])


def _require_folder(place: str) -> None:
    folder = os.path.dirname(place) or "."
    if not os.path.isdir(folder):
        raise OSError("there is no such folder")
    if not os.access(folder, os.W_OK):
        raise OSError("nobody may write into that folder")


def _replace(place: str, data: bytes) -> None:
    aside = os.path.join(os.path.dirname(place), f".zermelo-{os.urandom(6).hex()}")
    try:
        with open(aside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(place):
            before = os.stat(place)
            with suppress(OSError, AttributeError):
                os.chown(aside, before.st_uid, before.st_gid)
            shutil.copymode(place, aside)
        os.replace(aside, place)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(aside)


def _pour(descriptor: int, data: bytes) -> None:
    """Write to what is open, behind all that was printed so far."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
