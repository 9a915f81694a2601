"""How every program of this folder answers its caller: one line per error, an exit code, a stream that survives.

Exit codes: 0 done, also when the reader of the output went away; 1 a difference (check.py); 2 a wrong
command line, or something that cannot be read or written; 130 interrupted.
"""
from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from support import start
from support.start import say

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
LARGEST_FILE = 1 << 20  # bytes
LARGEST_RECORD = 1 << 26  # of a file that a program writes: long exact values cost a reader little
MOST_VALUES = 1_000_000  # in a JSON file: these do
DEEPEST = 64  # levels of nesting in a JSON file

# An exact result may be of any length: lift the limit of 4,300 digits for everyone who loads data. Whatever comes from
# outside is held to 100 digits by its reader, before it is turned into a number.
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


@contextmanager
def placed(file: str, place: str) -> Iterator[None]:
    """Give a refusal that names no file the one that is read, and the place there: a number that cannot be rounded."""
    try:
        yield
    except Refused as refusal:
        if refusal.file:
            raise
        raise Refused(refusal.reason, file, place) from None


def located(path: str, root: str = ROOT) -> str:
    """Return where a path of the repository, which has "/" between its parts, lies on this system.

    The names of its files are UTF-8, also where a locale has the interpreter take names for something else.
    """
    name = path.encode("utf-8", "surrogatepass").decode(sys.getfilesystemencoding(), "surrogateescape")
    return os.path.join(root, *name.split("/"))


def absolute(path: str) -> str | None:
    """Return where a path leads, or None for a relative one when the working folder has been deleted."""
    try:
        return os.path.abspath(path)
    except OSError:
        return None


def shown(path: str) -> str:
    """Return `path` relative to the repository with "/" between its parts, or as it is when it lies outside."""
    whole = absolute(path) or path
    name = (os.path.relpath(whole, ROOT) if whole.startswith(ROOT + os.sep) else path).replace(os.sep, "/")
    try:
        return printable(os.fsencode(name).decode("utf-8"))  # see `located`
    except UnicodeError:
        return printable(name)


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
    known = {
        errno.ENOENT: "找不到", errno.EISDIR: "是文件夹，不是文件", errno.ENOTDIR: "路径中有一段不是文件夹",
        errno.EACCES: "没有权限", errno.EPERM: "没有权限", errno.EROFS: "所在磁盘只读", errno.ENOSPC: "磁盘没有空间",
        errno.EFBIG: "文件大小到了上限", errno.ELOOP: "符号链接绕成了圈", errno.ENAMETOOLONG: "文件名太长",
    }
    return known.get(error.errno or 0, f"系统错误 {error.errno}")


def read_bytes(path: str, most: int = LARGEST_FILE) -> bytes:
    """Return the content of a regular file of at most `most` bytes; raise Refused for anything else."""
    try:
        kind = os.stat(path)
        if stat.S_ISDIR(kind.st_mode):
            raise Refused("应为文件，实为文件夹", path)
        if not stat.S_ISREG(kind.st_mode):  # a pipe or a device could keep us waiting for ever
            raise Refused("应为普通文件", path)
        with open(path, "rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        reason = system_reason(error) if absolute(path) else "当前所在的文件夹已经被删除"
        raise Refused(f"读不出来：{reason}", path) from error
    except ValueError as error:  # a NUL in the path
        raise Refused("文件名不合规矩", path) from error
    if len(content) > most:
        raise Refused(f"文件超过 {most >> 20} MiB", path)
    return content


def read_json_text(path: str, most: int = LARGEST_FILE) -> tuple[bytes, str]:
    """Return the bytes and the text of a JSON file; raise Refused where it is not UTF-8, nests too deep or has too
    many values (commas and brackets are counted, those in texts included).

    That is counted here, before any parser sees the text: how deep a parser may recurse differs between
    interpreters, and some die of it; a value takes a parser a thousand times as long as a digit.
    """
    content = read_bytes(path, most)
    if _values(content) > MOST_VALUES:
        raise Refused(f"超过 {MOST_VALUES} 个值", path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(f"第 {error.start + 1} 个字节起不是 UTF-8", path) from None
    depth = 0
    for bracket in _brackets(content):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEEPEST:
            raise Refused(f"嵌套超过 {DEEPEST} 层", path)
        if depth < 0:  # not JSON: a parser stops here
            break
    return content, text


def _values(content: bytes) -> int:
    """Return at least how many values a JSON text has."""
    return sum(map(content.count, (b",", b"[", b"{")))


def _brackets(content: bytes) -> bytes:
    r"""Return the brackets of a JSON text outside its strings.

    Once escapes are gone every second quote ends a string, and two quotes that meet may go without changing that.

    >>> _brackets(rb'{"a[": ["\\", "\"]", ["]"]]}')
    b'{[[]]}'
    """
    content = content.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _BESIDE)
    return b"".join(content.replace(b'""', b"").split(b'"')[::2])


_BESIDE = bytes(set(range(256)) - set(b'[]{}"'))


def write_record(path: str, text: str) -> None:
    """Put a record in place as write_text does; raise Refused, too, for one that would be refused when it is read."""
    content = text.encode("utf-8")
    if len(content) > LARGEST_RECORD or _values(content) > MOST_VALUES:
        raise Refused(f"写不进去：会超过 {LARGEST_RECORD >> 20} MiB 或 {MOST_VALUES} 个值", path)
    _write(path, content)


def write_text(path: str, text: str) -> None:
    """Put `text` in place of the file at `path`, as UTF-8 with LF: wholly or not at all; raise Refused."""
    _write(path, text.encode("utf-8"))


def _write(path: str, content: bytes) -> None:
    """Put bytes in place of a file: wholly or not at all.

    The temporary file lies in the same folder, because only a rename inside one file system is atomic, and has
    a random name, because two programs may write the same record at once. A symbolic link stays one, and who may read
    the file stays as it was.
    """
    target = _target(path)
    temporary = _temporary(target)
    start.unfinished.add(temporary)
    try:
        try:
            with open(temporary, "xb") as file:
                file.write(content)
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)
    except OSError as error:
        raise _unwritable(path, error) from error


def check_writable(path: str) -> None:
    """Raise before a long computation what write_text(path, …) would raise after it."""
    temporary = _temporary(_target(path))
    try:
        with open(temporary, "xb"):
            pass
        os.unlink(temporary)
    except OSError as error:
        raise _unwritable(path, error) from error


def _target(path: str) -> str:
    """Return where a path leads through symbolic links; raise Refused where something else than a file is there."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):  # a device or a pipe must not become a file
        raise Refused(f"写不进去：{'是文件夹，不是文件' if os.path.isdir(target) else '不是普通文件'}", path)
    return target


def _temporary(target: str) -> str:
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name}.{os.urandom(8).hex()}.tmp")


def _unwritable(path: str, error: OSError) -> Refused:
    return Refused(f"写不进去：{system_reason(error)}", path)


def run(program: Callable[[list[str]], int]) -> int:
    """Return the exit code of `program(arguments)`, having turned each way to fail into one line or silence.

    Characters that standard output cannot show are written as escapes (errors="backslashreplace"), so that no
    terminal costs a record.
    """
    if sys.stdout is not None and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = program(sys.argv[1:])
        if sys.stdout is not None:
            sys.stdout.flush()
    except Refused as refusal:
        say(f"错误：{refusal}")
        code = 2
    except OSError as error:  # every file is read and written by the two functions above: this is standard output
        gone = isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == errno.EINVAL)
        code = 0 if gone else 2
        if not gone:
            say(f"错误：标准输出写不进去：{system_reason(error)}")
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:  # what is still buffered has no reader
        start.discard(sys.stdout.fileno())
    return code
