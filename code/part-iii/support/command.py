"""How every program of this folder answers its caller: one line per error, an exit code, a stream that survives.

Exit codes: 0 done, also when the reader of the output went away; 1 a difference (check.py); 2 a wrong
command line, or something that cannot be read or written; 130 interrupted.
"""
from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from support import start
from support.start import say

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LARGEST_FILE = 1 << 26  # bytes: long exact values cost a reader little
MOST_VALUES = 1_000_000  # in a JSON file: one takes a parser as long as a thousand digits

# An exact result may be of any length: no limit of 4,300 digits. Whatever comes from outside is held to 100 digits
# by its reader, before it is turned into a number.
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)


class Refused(Exception):
    """A file or a command line that cannot be used; str() is the one line that its user reads.

    `file` is a path (shown relative to the repository, "" for the command line), `place` a JSON Pointer or a
    line and column ("" for the whole file), `reason` says what was expected there.
    """

    def __init__(self, reason: str, file: str = "", place: str = "") -> None:
        self.file, self.place, self.reason = file, place, reason
        line = "：".join(part for part in (shown(file) if file else "", place, reason) if part)
        super().__init__(printable(line))  # a key or a name may hold a line break


class Undefined(ValueError):
    """What a formula says nothing about, whoever asks: a read of no position, a row that is no distribution."""


@contextmanager
def blaming(file: str, place: str) -> Iterator[None]:
    """Give the file that is read, and the place there, to what a computation refuses: a number that cannot be rounded,
    a score that is too large.
    """
    try:
        yield
    except Refused as refusal:
        if refusal.file:
            raise
        raise Refused(refusal.reason, file, place) from None
    except Undefined as error:
        raise Refused(str(error), file, place) from None


def located(path: str, root: str = ROOT) -> str:
    """Return where a path of the repository, which has "/" between its parts, lies on this system."""
    return os.path.join(root, *path.split("/"))


def shown(path: str) -> str:
    """Return `path` relative to the repository with "/" between its parts, or as it is when it lies outside."""
    whole = os.path.abspath(path)
    return (os.path.relpath(whole, ROOT) if whole.startswith(ROOT + os.sep) else path).replace(os.sep, "/")


def printable(text: str) -> str:
    """Return `text` with everything that a terminal would not show as one character written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def quoted(value: Any, longest: int = 80) -> str:
    """Return a JSON value as it is written, cut to `longest` characters, fit for one line.

    >>> quoted("1_0/3"), quoted(None), quoted([1, 2])
    ('"1_0/3"', 'null', '列表（2 项）')
    """
    if isinstance(value, dict):
        return f"对象（{len(value)} 个字段）"
    if isinstance(value, list):
        return f"列表（{len(value)} 项）"
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= longest else f"{text[:longest]}…（共 {len(text)} 个字符）"


def system_reason(error: OSError) -> str:
    """Return what the operating system refused, in the same words on every system."""
    known = {errno.ENOENT: "找不到", errno.EISDIR: "是文件夹，不是文件", errno.EACCES: "没有权限",
             errno.EPERM: "没有权限", errno.EROFS: "所在磁盘只读", errno.ENOSPC: "磁盘没有空间",
             errno.EFBIG: "文件大小到了上限"}
    return known.get(error.errno or 0, f"系统错误 {error.errno}")


def read_bytes(path: str) -> bytes:
    """Return the content of a regular file of at most LARGEST_FILE bytes; raise Refused for anything else."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe or a device could keep us waiting for ever
            raise Refused("应为文件，实为文件夹或别的东西", path)
        with open(path, "rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise Refused(f"读不出来：{system_reason(error)}", path) from error
    if len(content) > LARGEST_FILE:
        raise Refused(f"文件超过 {LARGEST_FILE >> 20} MiB", path)
    return content


def read_json_text(path: str) -> tuple[bytes, str]:
    """Return the bytes and the text of a JSON file; raise Refused where it is not UTF-8 or has too many values.

    They are counted by commas and brackets, those in texts included.
    """
    content = read_bytes(path)
    if sum(map(content.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise Refused(f"超过 {MOST_VALUES} 个值", path)
    try:
        return content, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"第 {error.start + 1} 个字节起不是 UTF-8", path) from None


def write_text(path: str, text: str) -> None:
    """Put `text` in place of the file at `path`, as UTF-8 with LF: wholly or not at all; raise Refused, also for what
    no program here would read again.

    The temporary file lies in the same folder, because only a rename inside one file system is atomic, and has a random
    name, because two programs may write the same record at once.
    """
    content = text.encode("utf-8")
    if len(content) > LARGEST_FILE:
        raise Refused(f"写不进去：会超过 {LARGEST_FILE >> 20} MiB，数字少几位，或者序列短些", path)
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.urandom(8).hex()}.tmp")
    start.unfinished.add(temporary)
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(content)
            os.replace(temporary, path)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)
    except OSError as error:
        raise Refused(f"写不进去：{system_reason(error)}", path) from error


def run(program: Callable[[list[str]], int]) -> int:
    """Return the exit code of `program(arguments)`, having turned each way to fail into one line or silence.

    Characters that standard output cannot show are written as escapes (errors="backslashreplace"), so that no
    terminal costs a record.
    """
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = program(sys.argv[1:])
        sys.stdout.flush()
        return code
    except Refused as refusal:
        say(f"错误：{refusal}")
    except OSError as error:  # every file is read and written by the two functions above: this is standard output
        start.discard(sys.stdout.fileno())  # what is still buffered has no reader
        if isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL):
            return 0
        say(f"错误：标准输出写不进去：{system_reason(error)}")
    return 2
