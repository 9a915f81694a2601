"""What an oracle does with the text that it has made: holds a file against it, or writes it if told to."""
from __future__ import annotations

import os
import sys
from itertools import zip_longest
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from support.command import located, shown, write_text


def held(path: str, text: str, write: bool) -> int:
    """Return the exit code: 1 where the file at a path of the repository has other bytes than `text`."""
    file = Path(located(path))
    if write:
        write_text(str(file), text)
        return 0
    pairs = zip_longest(file.read_bytes().split(b"\n"), text.encode("utf-8").split(b"\n"))
    differing = [n for n, (have, want) in enumerate(pairs, 1) if have != want]
    said = f"与算出的不同，从第 {differing[0]} 行起；--write 重写它" if differing else "与算出的相同"
    print(f"{shown(str(file))}：{said}")
    return int(bool(differing))
