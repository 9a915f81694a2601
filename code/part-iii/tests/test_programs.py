"""The programs as their users start them: in a copy of the repository, as processes of their own."""
from __future__ import annotations

import ast
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from typing import Any

from support.command import ROOT, located
from tests.shared import CODE, copied

DOORS = ("run.py", "derive.py", "check.py", "lesson_6_1.py", "figures.py")
RECORDS = {"run.py": "run.json", "derive.py": "expected.json"}
LIMIT = 60  # seconds for whatever a test waits for
# What a newcomer's shell sets; a variable of this one that changes how Python works must not decide a test.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
# Starts a program in a bare interpreter, then looks where each loaded module came from; -O would drop an assert.
ONLY_STANDARD = """
import os, runpy, sys, sysconfig
del sys.argv[0]
folder = os.path.dirname(sys.argv[0])
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
homes = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib")]
homes = [os.path.realpath(home) for home in [*homes, os.path.join(sys.base_prefix, "DLLs"), folder]]  # DLLs: Windows
files = [os.path.realpath(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", None)]
strange = [f for f in files if "site-packages" in f or not any(f.startswith(home + os.sep) for home in homes)]
if strange or not any(f.startswith(homes[-1]) for f in files):
    sys.exit(f"not the standard library: {strange}")
"""
# Starts a program as in an old interpreter, which has nothing but what start.py needs.
OLD = """
import io, os, signal, sys
sys.version_info, sys.version = (3, 8, 18), "3.8.18 (main)"
sys.stderr = io.TextIOWrapper(sys.stderr.buffer, encoding="utf-8")

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name not in ("support", "support.start"):
            raise ImportError(name)

sys.meta_path.insert(0, Missing())
program = sys.argv[1]
exec(compile(open(program, "rb").read(), program, "exec"), {"__name__": "__main__", "__file__": program})
"""
# Starts a program that is sent Ctrl-C, once or twice, when `moment` calls interrupt().
INTERRUPTED = """
import os, runpy, signal, sys
del sys.argv[0]
sys.path.insert(0, os.path.dirname(sys.argv[0]))

def interrupt():
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)

{moment}
runpy.run_path(sys.argv[0], run_name="__main__")
"""
WHILE_IMPORTING = """
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            interrupt()

sys.meta_path.insert(0, Finder())
"""
WHILE_COMPUTING = """
from lesson import tanh_rnn

def products(*pair, products=tanh_rnn.products):
    interrupt()
    return products(*pair)

tanh_rnn.products = products
"""
WHILE_WRITING = """
def replace(*_):
    interrupt()

os.replace = replace
"""


class Programs(unittest.TestCase):
    """Every test starts from an untouched copy of code and data with the committed records."""

    def setUp(self) -> None:
        """Make the copy."""
        self.folder = os.fsdecode(tempfile.mkdtemp(prefix="仓库 副本 ".encode()))  # bytes: a locale may be ASCII alone
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = os.path.join(self.folder, "repo")
        for name in ("code", "data", "run.json", "expected.json"):
            copied(name, self.root)

    def path(self, name: str) -> str:
        """Return a place in the copy."""
        return located(name, self.root)

    def content(self, name: str) -> bytes:
        """Return the bytes of a file of the copy."""
        return Path(self.path(name)).read_bytes()

    def start(self, program: str, *arguments: str, **settings: Any) -> Any:
        """Return the finished process of a program of the copy, run from another folder."""
        return self.finished([self.path("code/part-iii/" + program), *arguments], **settings)

    def finished(self, arguments: list[str], **settings: Any) -> Any:
        """Return the finished process of an interpreter."""
        environment = {**ENVIRONMENT, "PYTHONIOENCODING": "utf-8", **settings.pop("env", {})}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.run([sys.executable, *arguments],
                              **{"cwd": self.folder, "env": environment, "timeout": LIMIT, **streams, **settings})

    def assert_refused(self, process: Any, *parts: str) -> None:
        """Exit code 2, one line without traceback that holds each part, the record as it was."""
        line = process.stderr.decode("utf-8")
        self.assertEqual((process.returncode, line.count("\n"), process.stdout), (2, 1, b""), line)
        self.assertTrue(line.startswith("错误："), line)
        for part in parts:
            self.assertIn(part, line)
        if os.path.isfile(self.path("run.json")):
            self.assertEqual(self.content("run.json"), Path(ROOT, "run.json").read_bytes())
        self.assertEqual([name for name in os.listdir(self.root) if name.endswith(".tmp")], [])


class Records(Programs):
    """What a run leaves behind."""

    def test_same_bytes(self) -> None:
        """Each program writes the committed bytes, from any folder, in a path with Chinese and a space."""
        for program, name in RECORDS.items():
            before = self.content(name)
            os.unlink(self.path(name))
            process = self.start(program)
            self.assertEqual((process.returncode, process.stderr), (0, b""))
            self.assertEqual(self.content(name), before, program)
        process = self.start("check.py")
        self.assertEqual((process.returncode, process.stderr), (0, b""))
        self.assertIn("全部一致", process.stdout.decode("utf-8"))

    def test_experiments_write_nothing(self) -> None:
        """An experiment leaves the record alone, and nothing else behind."""
        before = {name: os.stat(self.path(name)).st_mtime_ns for name in os.listdir(self.root)}
        self.assertEqual(self.start("run.py", "--tokens", "red").returncode, 0)
        self.assertEqual({name: os.stat(self.path(name)).st_mtime_ns for name in os.listdir(self.root)}, before)

    def test_standard_library_alone(self) -> None:
        """Without site and environment, optimized, with a folder that is not searched (-I), no program loads anything
        outside the standard library.
        """
        for line in (*RECORDS, "check.py", "run.py --tokens red", "lesson_6_1.py --rounds 1", "figures.py -h"):
            program, *arguments = line.split()
            process = self.finished(["-I", "-S", "-O", "-c", ONLY_STANDARD, self.path("code/part-iii/" + program),
                                     *arguments])
            self.assertEqual((process.returncode, process.stderr), (0, b""), line)

    def test_output_that_cannot_show_chinese(self) -> None:
        """An encoding without Chinese costs neither the record nor the exit code."""
        for encoding in ("ascii", "gbk"):
            os.unlink(self.path("run.json"))
            process = self.start("run.py", env={"PYTHONIOENCODING": encoding})
            self.assertEqual((process.returncode, process.stderr), (0, b""), encoding)
            self.assertTrue(os.path.isfile(self.path("run.json")))
            self.assertIn("0.592667", process.stdout.decode(encoding))


class Refusals(Programs):
    """What makes a program stop before it writes."""

    def test_broken_json(self) -> None:
        """A cut file is named with line and column; derive.py sends whoever changed a file to run.py first."""
        Path(self.path("data/part-iii/sequence-v1.json")).write_bytes(b'{\n  "rnn": ')
        self.assert_refused(self.start("run.py"), "data/part-iii/sequence-v1.json：第 2 行第")
        self.assert_refused(self.start("derive.py"), "sequence-v1.json：run.json 不是由现在的这个文件算出的")

    def test_other_bytes(self) -> None:
        """Rewritten line ends change the hash: both files and both digests are named."""
        name = "data/part-ii/nnlm-data.json"
        Path(self.path(name)).write_bytes(self.content(name).replace(b"\n", b"\r\n"))
        self.assert_refused(self.start("run.py"), name, "sha256 是 ", "data/part-iii/sequence-v1.json")
        self.assert_refused(self.start("derive.py"), f"{name}：run.json 不是由现在的这个文件算出的")
        process = self.start("check.py")
        self.assertEqual(process.returncode, 1)
        self.assertIn("/inputs/1/sha256", process.stdout.decode("utf-8"))

    def test_record_that_cannot_be_written(self) -> None:
        """A folder stands in the place of the record."""
        for program, name in reversed(list(RECORDS.items())):  # derive.py looks into run.json
            os.unlink(self.path(name))
            os.mkdir(self.path(name))
            self.assert_refused(self.start(program), f"{name}：写不进去：是文件夹，不是文件")


class Streams(Programs):
    """Where a program writes, when it cannot. The record is written before the page and never suffers."""

    @unittest.skipIf(os.name == "nt", "needs a POSIX pipe")
    def test_reader_that_goes_away(self) -> None:
        """A pipe closed before the first line: exit 0 and silence, for a long page and for a short one."""
        os.unlink(self.path("run.json"))
        for program in ("run.py", "check.py"):
            reading, writing = os.pipe()
            os.close(reading)
            process = self.start(program, stdout=writing)
            os.close(writing)
            self.assertEqual((process.returncode, process.stderr), (0, b""), program)

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full_standard_output(self) -> None:
        """A full disk behind the page is exit 2 and one line, also where the whole page waits in a buffer."""
        os.unlink(self.path("run.json"))
        for program in ("run.py", "derive.py"):
            with open("/dev/full", "wb") as full:
                process = self.start(program, stdout=full)
            self.assertEqual((process.returncode, process.stderr.decode("utf-8")),
                             (2, "错误：标准输出写不进去：磁盘没有空间\n"), program)
        self.assertTrue(os.path.isfile(self.path("run.json")))

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full_standard_error(self) -> None:
        """What is refused is 2 also where nobody can be told: the interpreter's own exit code would be 120."""
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.start("run.py", "--tokens", "green", stderr=full).returncode, 2)
            self.assertEqual(self.start("run.py", "--tokens", "red", stdout=full, stderr=full).returncode, 2)

    @unittest.skipIf(os.name == "nt", "needs POSIX descriptors")
    def test_closed_streams(self) -> None:
        """Without standard output there is nobody to print for; without standard error, nobody to tell."""
        process = self.start("check.py", preexec_fn=lambda: os.close(1))
        self.assertEqual((process.returncode, process.stderr), (0, b""))
        process = self.start("run.py", "--tokens", "green", preexec_fn=lambda: os.close(2))
        self.assertEqual((process.returncode, process.stdout, process.stderr), (2, b"", b""))


class Checker(Programs):
    """check.py as a maintainer meets it."""

    def report(self, *arguments: str) -> tuple[int, list[str]]:
        """Return exit code and lines of the checker, which says nothing on standard error."""
        process = self.start("check.py", *arguments)
        self.assertEqual(process.stderr, b"")
        return process.returncode, process.stdout.decode("utf-8").splitlines()

    def test_changed_weight(self) -> None:
        """First the record is old, then the expectation, then the text; nobody is blamed."""
        name = "data/part-iii/sequence-v1.json"
        before = self.content(name)
        changed = before.replace(b"[0.5, 0]", b"[0.9, 0]").replace(b"[0, 0.5]", b"[0, 0.9]")
        Path(self.path(name)).write_bytes(changed)
        for what, advice, command in (
                ("数据改过，记录还是按旧数据算的", "python3 code/part-iii/run.py 重写 run.json，再核对",
                 "run.py"),
                ("数据改过，期望还是按旧数据推导的，谁也没错",
                 "先看上面课文会失去什么：要么改回数据，要么改课文，然后才 python3 code/part-iii/derive.py",
                 "derive.py"),
                ("数据改过，记录与期望一致，谁也没错", "要么改回数据，要么改课文，"
                 "然后改 data/part-iii/printed-v1.json 的 verdict 与 inputs", "")):
            code, lines = self.report()
            self.assertEqual((code, lines[0].split("；")[0]), (1, f"run.json：{what}"))
            self.assertIn(f"下一步：{advice}data/lesson".replace(" ", ""), "".join(lines).replace(" ", ""))
            self.assertNotIn("走样", "".join(lines))
            self.assertTrue(lines[-1].endswith("全部一致"))  # the lesson
            if command:
                self.assertEqual(self.start(command).returncode, 0)


class Surroundings(Programs):
    """What the system around a program may do to it."""

    @unittest.skipIf(os.name == "nt", "Windows does not delete a folder in which a process works")
    def test_working_folder_that_was_deleted(self) -> None:
        """It is needed for relative paths alone."""
        gone = os.path.join(self.folder, "gone")
        os.mkdir(gone)
        process = self.start("check.py", cwd=gone, preexec_fn=lambda: os.rmdir(gone))
        self.assertEqual((process.returncode, process.stderr), (0, b""))

    @unittest.skipIf(os.name == "nt", "needs POSIX limits")
    def test_no_space(self) -> None:
        """A record that does not fit leaves the old one and no temporary file."""
        def small() -> None:
            import resource

            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        for program, name in RECORDS.items():
            # Without the variable the interpreter itself would write byte-code caches, cut off at the limit.
            process = self.start(program, preexec_fn=small, env={"PYTHONDONTWRITEBYTECODE": "1"})
            self.assert_refused(process, f"{name}：写不进去：文件大小到了上限")

    @unittest.skipIf(os.name == "nt", "Windows keeps a file that is open from being replaced; a run then says so")
    def test_two_runs_at_once(self) -> None:
        """Several runs write the same record; it is whole at every moment, and no temporary file stays."""
        before = self.content("run.json")
        with contextlib.ExitStack() as stack:
            runs = [stack.enter_context(subprocess.Popen([sys.executable, self.path("code/part-iii/run.py")],
                                                         stdout=subprocess.DEVNULL)) for _ in range(4)]
            end = time.monotonic() + LIMIT
            while any(process.poll() is None for process in runs) and time.monotonic() < end:
                self.assertEqual(self.content("run.json"), before)
            for process in runs:
                process.kill()
        self.assertEqual([process.returncode for process in runs], [0] * 4)
        self.assertEqual(sorted(os.listdir(self.root)), ["code", "data", "expected.json", "run.json"])


@unittest.skipIf(os.name == "nt", "needs POSIX signals")
class Interrupts(Programs):
    """Ctrl-C, at moments that a clock would seldom hit; the tests themselves may run where it is ignored."""

    def interrupted(self, moment: str, program: str, *arguments: str, handler: Any = signal.SIG_DFL) -> Any:
        """Return the finished process of a program to which Ctrl-C comes at a moment."""
        code = INTERRUPTED.format(moment=moment)
        return self.finished(["-c", code, self.path("code/part-iii/" + program), *arguments],
                             preexec_fn=lambda: signal.signal(signal.SIGINT, handler))

    def test_one_line(self) -> None:
        """While modules are imported, in a long computation, and while a record is written: 130 and one line."""
        imports = [WHILE_IMPORTING.format(name=name) for name in ("fractions", "decimal", "chapters.chapter_11")]
        for moment in (*imports, WHILE_COMPUTING, WHILE_WRITING):
            program = "lesson_6_1.py" if moment == WHILE_COMPUTING else "run.py"
            process = self.interrupted(moment, program)
            self.assertEqual((process.returncode, process.stderr.decode("utf-8")), (130, "已中断\n"), moment)
            self.assertEqual(process.stdout.startswith("课文 6.1".encode()), program == "lesson_6_1.py")
        for change, line in (("sys.stderr.isatty = lambda: True", "\n已中断\n"), ("sys.stderr = None", "")):
            process = self.interrupted(f"{change}\n{WHILE_WRITING}", "run.py")
            self.assertEqual((process.returncode, process.stderr.decode("utf-8")), (130, line), change)
        self.assertEqual(sorted(os.listdir(self.root)), ["code", "data", "expected.json", "run.json"])

    @unittest.skipIf(sys.implementation.name == "pypy", "PyPy itself takes the signal over, ignored or not")
    def test_ignored(self) -> None:
        """In a background job, where the shell has it ignored, it does nothing."""
        process = self.interrupted(WHILE_COMPUTING, "lesson_6_1.py", "--rounds", "5", handler=signal.SIG_IGN)
        self.assertEqual((process.returncode, process.stderr), (0, b""))


class OldInterpreters(unittest.TestCase):
    """Python 3.8 and older: one line that asks for 3.9."""

    def test_parsed_by_python_3_6(self) -> None:
        """No file that runs before the version is asked for has a syntax that is newer."""
        for path in (*DOORS, "support/__init__.py", "support/start.py"):
            tree = ast.parse(Path(CODE, path).read_bytes(), path, feature_version=(3, 6))
            modules = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
            self.assertNotIn("__future__", modules, path)

    def test_asked_first(self) -> None:
        """Each program names the version that is needed and the one that is there before it imports anything else."""
        for program in DOORS:
            process = subprocess.run([sys.executable, "-I", "-S", "-c", OLD, os.path.join(CODE, program)],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=LIMIT)
            self.assertEqual((process.returncode, process.stdout, process.stderr.decode("utf-8")), (
                2, b"", "错误：需要 Python 3.9 或更新的版本，这是 Python 3.8.18\n"), program)
