"""The programs as their users start them: in a copy of the repository, as processes of their own."""
from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any

from support.command import ROOT, located

RECORDS = {"run.py": "run.json", "derive.py": "expected.json"}
# Starts a program in a bare interpreter, then looks where each loaded module came from; -O would drop an assert.
ONLY_STANDARD = """
import os, runpy, sys, sysconfig
del sys.argv[0]
folder = os.path.dirname(sys.argv[0])
sys.path.insert(0, folder)
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
homes = [os.path.realpath(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")] + [os.path.realpath(folder)]
files = [os.path.realpath(m.__file__) for m in list(sys.modules.values()) if getattr(m, "__file__", None)]
strange = [f for f in files if "site-packages" in f or not any(f.startswith(home + os.sep) for home in homes)]
if strange or not any(f.startswith(homes[-1]) for f in files):
    sys.exit(f"not the standard library: {strange}")
"""


class Programs(unittest.TestCase):
    """Every test starts from an untouched copy of code and data with the committed records."""

    def setUp(self) -> None:
        """Make the copy."""
        self.folder = tempfile.mkdtemp(prefix="仓库 副本 ")
        self.addCleanup(shutil.rmtree, self.folder)
        self.root = os.path.join(self.folder, "repo")
        for name in ("code", "data"):
            shutil.copytree(os.path.join(ROOT, name), os.path.join(self.root, name),
                            ignore=shutil.ignore_patterns("__pycache__", "tests"))
        for name in ("run.json", "expected.json"):
            shutil.copy(os.path.join(ROOT, name), self.root)

    def path(self, name: str) -> str:
        """Return a place in the copy."""
        return located(name, self.root)

    def content(self, name: str) -> bytes:
        """Return the bytes of a file of the copy."""
        with open(self.path(name), "rb") as file:
            return file.read()

    def start(self, program: str, *arguments: str, flags: tuple[str, ...] = (), **settings: Any) -> Any:
        """Return the finished process of a program of the copy, run from another folder."""
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **settings.pop("env", {})}
        return subprocess.run([sys.executable, *flags, self.path("code/part-iii/" + program), *arguments],
                              cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60, **settings)

    def assert_refused(self, process: Any, *parts: str) -> None:
        """Exit code 2, one line without traceback that holds each part, the record as it was."""
        line = process.stderr.decode("utf-8")
        self.assertEqual((process.returncode, line.count("\n"), process.stdout), (2, 1, b""), line)
        self.assertTrue(line.startswith("错误："), line)
        for part in parts:
            self.assertIn(part, line)
        if os.path.isfile(self.path("run.json")):
            with open(os.path.join(ROOT, "run.json"), "rb") as file:
                self.assertEqual(self.content("run.json"), file.read())
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

    def test_standard_library_alone(self) -> None:
        """Without site and environment, optimized, no program loads anything outside the standard library."""
        for line in (*RECORDS, "check.py", "run.py --tokens red", "lesson_6_1.py --rounds 1"):
            program, *arguments = line.split()
            process = subprocess.run([sys.executable, "-s", "-E", "-S", "-O", "-c", ONLY_STANDARD,
                                      self.path("code/part-iii/" + program), *arguments], cwd=self.folder,
                                     stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, timeout=60)
            self.assertEqual((process.returncode, process.stderr), (0, b""), line)

    def test_output_that_cannot_show_chinese(self) -> None:
        """An encoding without Chinese costs neither the record nor the exit code."""
        for encoding in ("ascii", "cp1252", "gbk"):
            os.unlink(self.path("run.json"))
            process = self.start("run.py", env={"PYTHONIOENCODING": encoding})
            self.assertEqual((process.returncode, process.stderr), (0, b""), encoding)
            self.assertTrue(os.path.isfile(self.path("run.json")))
            self.assertIn("0.592667", process.stdout.decode(encoding))

    @unittest.skipIf(os.name == "nt", "needs a POSIX pipe")
    def test_reader_that_goes_away(self) -> None:
        """A pipe closed before the first line: exit 0, silence, and the record is there."""
        os.unlink(self.path("run.json"))
        reading, writing = os.pipe()
        os.close(reading)
        try:
            process = subprocess.run([sys.executable, self.path("code/part-iii/run.py")], stdout=writing,
                                     stderr=subprocess.PIPE, timeout=60)
        finally:
            os.close(writing)
        self.assertEqual((process.returncode, process.stderr), (0, b""))
        self.assertTrue(os.path.isfile(self.path("run.json")))


class Refusals(Programs):
    """What makes a program stop before it writes."""

    def test_missing_file(self) -> None:
        """The chapter 10 file is not there."""
        os.unlink(self.path("data/part-ii/nnlm-data.json"))
        self.assert_refused(self.start("run.py"), "data/part-ii/nnlm-data.json：读不出来：找不到")

    def test_broken_json(self) -> None:
        """A cut file is named with line and column."""
        with open(self.path("data/part-iii/sequence-v1.json"), "w", encoding="utf-8") as file:
            file.write('{\n  "rnn": ')
        self.assert_refused(self.start("derive.py"), "data/part-iii/sequence-v1.json：第 2 行第")

    def test_other_bytes(self) -> None:
        """Rewritten line ends change the hash: both files and both digests are named."""
        name = "data/part-ii/nnlm-data.json"
        content = self.content(name)
        with open(self.path(name), "wb") as file:
            file.write(content.replace(b"\n", b"\r\n"))
        for program in RECORDS:
            self.assert_refused(self.start(program), name, "sha256 是 ", "data/part-iii/sequence-v1.json")
        process = self.start("check.py")
        self.assertEqual(process.returncode, 1)
        self.assertIn("/inputs/1/sha256", process.stdout.decode("utf-8"))

    def test_record_that_cannot_be_written(self) -> None:
        """A folder stands in the place of the record."""
        for program, name in RECORDS.items():
            os.unlink(self.path(name))
            os.mkdir(self.path(name))
            self.assert_refused(self.start(program), f"{name}：写不进去：是文件夹，不是文件")


class Experiments(Programs):
    """run.py --tokens as a reader types it; long inputs are test_experiment's: Windows limits command lines."""

    def test_negative_numbers(self) -> None:
        """-1/2 is a number, not an option, behind --retain and behind --bias."""
        process = self.start("run.py", "--tokens", "blue", "filler", "--retain", "-1/2",
                             "--bias", "-1/2", "-0.5", "--json")
        self.assertEqual((process.returncode, process.stderr), (0, b""))
        step = json.loads(process.stdout.decode("utf-8").split("\n")[1])
        self.assertEqual((step["preactivation"], step["logits"]), (["0", "-1/2"], ["-1/2", "-1/2"]))

    def test_writes_nothing(self) -> None:
        """An experiment leaves the record alone, and nothing else behind."""
        before = {name: os.stat(self.path(name)).st_mtime_ns for name in os.listdir(self.root)}
        self.assertEqual(self.start("run.py", "--tokens", "red").returncode, 0)
        self.assertEqual({name: os.stat(self.path(name)).st_mtime_ns for name in os.listdir(self.root)}, before)

    def test_refused(self) -> None:
        """A wrong command line of each program is one line; test_experiment has all of run.py's."""
        self.assert_refused(self.start("run.py", "--tokens", "green"), '命令行：第 1 个 token "green" 不在词表里')
        self.assert_refused(self.start("derive.py", "x"), "命令行：")
        self.assert_refused(self.start("check.py", "x"), "命令行：")


class Checker(Programs):
    """check.py as a maintainer meets it."""

    def report(self, *arguments: str) -> tuple[int, list[str]]:
        """Return exit code and lines of the checker, which says nothing on standard error."""
        process = self.start("check.py", *arguments)
        self.assertEqual(process.stderr, b"")
        return process.returncode, process.stdout.decode("utf-8").splitlines()

    def test_changed_weight(self) -> None:
        """First the record is old, then the expectation; nobody is blamed until both are new and the book is not."""
        name = "data/part-iii/sequence-v1.json"
        before = self.content(name)
        with open(self.path(name), "wb") as file:
            file.write(before.replace(b"[0.5, 0]", b"[0.9, 0]").replace(b"[0, 0.5]", b"[0, 0.9]"))
        for what, advice, command in (
                ("数据改过，记录和期望都是按旧数据算的", "python3 code/part-iii/run.py 重写 run.json，再核对",
                 "run.py"),
                ("数据改过，期望还是按旧数据推导的，谁也没错",
                 "先看上面课文会失去什么：要么改回数据，要么改课文，然后才 python3 code/part-iii/derive.py",
                 "derive.py"),
                ("所印的与记录不合", "改正课文或 data/part-iii/printed-v1.json，再 python3 code/part-iii/check.py",
                 "")):
            code, lines = self.report()
            self.assertEqual((code, lines[0].split("；")[0], lines[-2]), (1, f"run.json：{what}", f"下一步：{advice}"))
            self.assertEqual("走样" in "".join(lines), not command)
            self.assertTrue(lines[-1].endswith("全部一致"))  # the lesson
            if command:
                self.assertEqual(self.start(command).returncode, 0)
        with open(self.path(name), "wb") as file:
            file.write(before)
        self.assertEqual([self.start(program).returncode for program in (*RECORDS, "check.py")], [0, 0, 0])

    def test_files(self) -> None:
        """Equal copies give 0 and a spoiled one 1, with and without the printed figures; one or four are refused."""
        files = [self.path(name) for name in ("run.json", "expected.json", "data/part-iii/printed-v1.json")]
        self.assertEqual([self.report(*files[:size])[0] for size in (2, 3)], [0, 0])
        with open(files[0], "wb") as file:
            file.write(self.content("expected.json").replace(b'"0.592667"', b'"0.592668"', 1))
        for size, lines in ((2, 3), (3, 4)):
            self.assertEqual(self.report(*files[:size])[0], 1)
            self.assertEqual(len(self.report(*files[:size])[1]), lines)
        self.assertIn(self.report(*files)[1][0], self.report("--errata")[1])
        for number in (1, 4):
            process = self.start("check.py", *[files[0]] * number)
            self.assertEqual((process.returncode, process.stdout), (2, b""))
            self.assertTrue(process.stderr.decode("utf-8").startswith("错误：命令行：不写参数，"))

    def test_help(self) -> None:
        """-h prints the help and exits 0."""
        code, lines = self.report("-h")
        self.assertEqual((code, lines[0]), (0, "用法"))


class Surroundings(Programs):
    """What the system around a program may do to it."""

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

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full_standard_output(self) -> None:
        """The record is written before the page: a full disk behind the page costs the page alone."""
        os.unlink(self.path("run.json"))
        with open("/dev/full", "wb") as full:
            process = subprocess.run([sys.executable, self.path("code/part-iii/run.py")], stdout=full,
                                     stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertEqual(process.stderr.decode("utf-8"), "错误：标准输出写不进去：磁盘没有空间\n")
        self.assertTrue(os.path.isfile(self.path("run.json")))

    @unittest.skipIf(os.name == "nt", "needs POSIX signals")
    def test_interrupted(self) -> None:
        """Ctrl-C in a long run: exit 130 and one line."""
        program = [sys.executable, "-c", f"import sys; sys.path.insert(0, {self.path('code/part-iii')!r});"
                   "import itertools; from chapters import experiment; from support import bundle, command;"
                   "net = bundle.load().network;"
                   "steps = experiment.updates(net, itertools.repeat(1)); print('ready', flush=True);"
                   "sys.exit(command.run(lambda _: max(step.t for step in steps)))"]
        with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertEqual((process.stderr.read().decode("utf-8"), process.wait(60)), ("已中断\n", 130))

    @unittest.skipIf(os.name == "nt", "Windows keeps a file that is open from being replaced; a run then says so")
    def test_two_runs_at_once(self) -> None:
        """Several runs write the same record; it is whole at every moment, and no temporary file stays."""
        before = self.content("run.json")
        runs = [subprocess.Popen([sys.executable, self.path("code/part-iii/run.py")], stdout=subprocess.DEVNULL)
                for _ in range(4)]
        while any(process.poll() is None for process in runs):
            self.assertEqual(self.content("run.json"), before)
        self.assertEqual([process.returncode for process in runs], [0] * 4)
        self.assertEqual(sorted(os.listdir(self.root)), ["code", "data", "expected.json", "run.json"])

    def test_broken_files_of_the_checker(self) -> None:
        """A record that is missing or cut: exit 2, one line; test_check has the other faults."""
        content = self.content("run.json")
        os.unlink(self.path("run.json"))
        self.assert_refused(self.start("check.py"), "run.json：读不出来：找不到")
        with open(self.path("run.json"), "wb") as file:
            file.write(content[:-9])
        process = self.start("check.py")
        self.assertEqual((process.returncode, process.stdout, process.stderr.count(b"\n")), (2, b"", 1))
        self.assertIn("不是合法的 JSON", process.stderr.decode("utf-8"))


if __name__ == "__main__":
    unittest.main()
