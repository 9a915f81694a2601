"""The first thing that a program does: ask for Python 3.9, and from then on answer Ctrl-C with one line.

Python 3.6 must be able to parse this file and the programs, or nothing could say what is needed: none of them has
`from __future__ import annotations`, and so none an annotation that is newer than Python 3.9.
"""
import os
import signal
import sys

NEEDED = (3, 9)
INTERRUPTED = 130  # what a shell calls 128 and the number of the signal

unfinished: "set[str]" = set()  # temporary files, which an interrupt takes away


def begin() -> None:
    """Refuse an older Python, and let Ctrl-C end the process; where the caller has it ignored it stays so.

    A stream that the caller has closed is one that takes everything.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8"))
    if sys.version_info < NEEDED:
        say(f"错误：需要 Python {NEEDED[0]}.{NEEDED[1]} 或更新的版本，这是 Python {sys.version.split()[0]}")
        sys.exit(2)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)


def _interrupted(*_: object) -> None:
    """End at once: an exception would pass through modules half imported, where callbacks swallow or rename it."""
    for path in unfinished:
        if os.path.exists(path):
            os.unlink(path)
    say("\n已中断" if sys.stderr.isatty() else "已中断")  # there ^C stands in the line
    os._exit(INTERRUPTED)


def say(line: str) -> None:
    """Write one line to standard error, if that takes it."""
    try:
        sys.stderr.write(line + "\n")
        sys.stderr.flush()
    except OSError:
        discard(sys.stderr.fileno())


def discard(descriptor: int) -> None:
    """Let what a stream still holds go nowhere: at its end the interpreter tries again, and would exit with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
