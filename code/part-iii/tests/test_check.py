"""The checker: it accepts what agrees, names every change at its place, and says what happened and what to do."""
from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import random
import re
import tempfile
import unittest
from typing import Any
from unittest import mock

import check
from checking import comparing, errata, known, reading, wording
from support import command
from support.command import Refused, located
from support.show import columns
from tests.shared import pointers, spoiled, with_value

FILES = [known.files_of(row) for row in known.RECORDS]
AGAIN = "下一步：python3 code/part-iii/run.py 重写 run.json；仍不同，就查程序与推导哪个算错"
ERRATA = "；课文该改的全部：python3 code/part-iii/check.py --errata"
OTHER = "f0" * 32  # the sha256 of other data
LOGIT = "/results/example_11_1/2/logits/0"
CHAPTER = "/results/chapter_11/"


def plain(path: str) -> Any:
    """Return what a file holds, as the standard library reads it."""
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Compared(unittest.TestCase):
    """Each test starts from chapter 11's part of the committed files, laid out as the lesson's are, and spoils some."""

    prefix = ""  # of the results' members

    def at(self, pointer: str) -> str:
        """Return where the records have a field of the chapter's results."""
        return pointer.replace("/results", f"/results{self.prefix}", 1)

    def setUp(self) -> None:
        """Read the files, and make a folder for spoiled copies."""
        self.record, self.expected, self.printed = map(plain, FILES[0])
        for made in (self.record, self.expected):
            made["results"] = made["results"]["chapter_11"]
        self.printed["figures"] = [figure for figure in self.printed["figures"] if CHAPTER in figure["field"]]
        self.printed["claims"] = [claim for claim in self.printed["claims"]
                                  if claim["id"] in self.record["results"]["claims"]]
        self.printed = json.loads(json.dumps(self.printed).replace(f'"{CHAPTER}', '"/results/'))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.paths = [os.path.join(folder.name, name) for name in ("run.json", "expected.json", "printed.json")]

    def both(self, pointer: str, value: Any) -> None:
        """Put a value into record and expectation."""
        self.record, self.expected = (with_value(made, pointer, value) for made in (self.record, self.expected))

    def figure(self, **members: Any) -> None:
        """Let the ledger's figures be one: the logit of table 11.3, with other members."""
        self.printed["figures"] = [
            {"place": "表 11.3，第 3 行，Logits，红色", "printed": "0.375", "field": self.at(LOGIT), **members}]

    def claim(self, **members: Any) -> None:
        """Let the ledger's first claim have other members."""
        self.printed["claims"][0] = {**self.printed["claims"][0], **members}

    def report(self, whole: bool = False, files: int = 3, row: known.Row | None = None) -> list[str]:
        """Return the report on the first two or all three files as they are now."""
        for path, value in zip(self.paths, (self.record, self.expected, self.printed)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(value if isinstance(value, str) else json.dumps(value))
        return check.check(self.paths[:files], row, whole)

    def lines(self, files: int = 3) -> list[str]:
        """Return the faults alone, each on a line."""
        first, *faults, last = self.report(True, files)
        self.assertIn(f"，{len(faults)} 处不同", first)
        self.assertTrue(last.startswith("下一步："))
        self.assertNotIn("全部一致", "".join([first, *faults, last]))
        return faults

    def counted(self) -> str:
        """Return how many fields, figures and claims the report counts."""
        fields = len(pointers({name: self.expected[name] for name in ("inputs", "results")}))
        return (f"{fields} 个字段、{len(self.printed['figures'])} 个印出的数值、"
                f"{len(self.printed['claims'])} 条论断")

    def assert_agrees(self) -> None:
        """All agrees: one line."""
        lines = self.report()
        self.assertEqual((len(lines), lines[0].endswith("；全部一致")), (1, True), lines)

    def assert_refused(self, which: int, message: str) -> None:
        """The files cannot be compared, and one line says which of them is wrong, and why."""
        with self.assertRaises(Refused) as caught:
            self.report()
        self.assertEqual(str(caught.exception), f"{command.shown(self.paths[which])}：{message}")


class Fields(Compared):
    """Record against expectation."""

    def test_every_leaf(self) -> None:
        """Every leaf of every record, spoiled, is reported under its own pointer and nowhere else."""
        for run_file, expected_file, _ in FILES:
            run, expected = reading.read(run_file), reading.read(expected_file)
            self.assertEqual(list(comparing.differences(expected, run)), [])
            for name in ("inputs", "results"):
                for key, member in reading.members_of(run[name]):  # one member at a time: the others were equal above
                    place, wanted = f"/{name}/{reading.escaped(key)}", expected[name][key]
                    for pointer in pointers(member):
                        wrong = with_value(member, pointer, "x") if pointer else "x"
                        found = comparing.differences(wanted, wrong, place)
                        self.assertEqual([found_place for found_place, _, _ in found], [place + pointer])

    def test_kinds_of_difference(self) -> None:
        """Text for a number, 1.0 or true for 1, a list for an object, a missing and a surplus field."""
        kinds = [("1", 1), (1, True), ({"a": 1}, [1]), (None, False), (wording.Literal("1"), wording.Literal("1.0")),
                 (wording.Literal("1.50"), wording.Literal("1.5")), (wording.Literal("1"), "1"), ("a", "b")]
        for want, have in kinds:
            self.assertEqual(list(comparing.differences({"k": want}, {"k": have})), [("/k", want, have)])
        found = list(comparing.differences({"a/b": 1, "c": [1]}, {"c": [1, 2], "d~": 0}))
        nothing = wording.MISSING
        self.assertEqual(found, [("/a~1b", 1, nothing), ("/c/1", nothing, 2), ("/d~0", nothing, 0)])
        self.assertEqual(list(comparing.differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})), [])

    def test_count(self) -> None:
        """The line on what agrees counts leaves, figures and claims; an empty list or object is one leaf."""
        for files, row in zip(FILES, known.RECORDS):
            expected, printed = plain(files[1]), plain(files[2])
            leaves = len(pointers({name: expected[name] for name in ("inputs", "results")}))
            self.assertEqual(check.check(files, row), [
                f"{row.run}：{leaves} 个字段、{len(printed['figures'])} 个印出的数值、"
                f"{len(printed['claims'])} 条论断；全部一致"])
            self.assertEqual(check.check(files[:2], None), [f"{row.run}：{leaves} 个字段；全部一致"])
        sizes: list[tuple[Any, int]] = [([], 1), ({}, 1), ([[], {}], 2), ({"a": [1, 2], "b": 3}, 3), ("abc", 1)]
        self.assertEqual([reading.count(value) for value, _ in sizes], [size for _, size in sizes])

    def test_one_wrong_value(self) -> None:
        """A single wrong value: what happened, its line, the next command; numbers stand without quotation marks."""
        self.record = with_value(self.record, "/results/binary_float/choice", 0)
        self.assertEqual(self.report(), [
            f"{command.shown(self.paths[0])}：记录与期望不同；比较了 {self.counted()}，1 处不同",
            '/results/binary_float/choice：应为 "red"，实为 0',
            AGAIN])
        right = self.expected
        self.expected, self.record = (json.dumps(right).replace('"fewest_fillers": 1', f'"fewest_fillers": {text}')
                                      for text in ("1.5", "1.50"))
        self.assertEqual(self.lines(2), ["/results/exercise_1/fewest_fillers：应为 1.5，实为 1.50"])
        self.record, self.expected = with_value(right, "/results/order/1/state/0", "3/2"), right
        self.assertEqual(self.lines(), ["/results/order/1/state/0：应为 1，实为 3/2"])

    def test_values_that_look_alike(self) -> None:
        """1 and "1", true and "true", and long numbers that differ in one digit are told apart in the report."""
        self.record = with_value(self.record, "/results/order/1/state/0", 1)
        self.assertEqual(self.lines(), ['/results/order/1/state/0：应为 "1"，实为 1'])
        long = "7" * 5000
        for at in (80, 81, 1000, 4998, 4999):
            other = long[:at] + "8" + long[at + 1:]
            left, right = wording.told_apart(long, other)
            self.assertTrue(left.startswith(f"第 {at + 1} 个字符起 7") and right.startswith(f"第 {at + 1} 个字符起 8"))
        self.assertEqual(wording.told_apart("1" * 90, "1" * 90 + "2"),
                         ("1" * 80 + "…（共 90 个字符）", "1" * 80 + "…（共 91 个字符）"))
        left, right = (f'第 91 个字符起 "{letter * 80}"…（共 81 个字符）' for letter in "xy")
        self.assertEqual(wording.told_apart("x" * 171, "x" * 90 + "y" * 81), (left, right))
        for text in ("x" * 80, '"' * 80, "7" * 80):
            self.assertEqual(wording.written(text), text if text[0] == "7" else json.dumps(text))
        values = [None, "null", True, "true", [1], {"a": 1}, "", "1 ", wording.Literal("1"), "1", "1/2", "-",
                  wording.MISSING, wording.Literal("9" * 99), "9" * 99, "x" * 80, "x" * 81]
        for i, want in enumerate(values):
            for have in values[i + 1:]:
                self.assertNotEqual(*wording.told_apart(want, have))

    def test_missing_and_surplus(self) -> None:
        """A field or member that is missing, and one too many, is a difference, beside the results as well."""
        del self.record["results"]["order"]
        self.record["results"]["x"] = []
        self.record["note"] = 1
        del self.expected["record"]
        self.expected["note/2"] = 1
        self.assertEqual(self.lines(2), [
            "期望的 /record：应为 \"part-iii-run-v1\"，实为 没有这个字段", "期望的 /note~12：应为 没有这个字段，实为 1",
            "/results/order：应为 列表（2 项），实为 没有这个字段", "/results/x：应为 没有这个字段，实为 列表（0 项）",
            "/note：应为 没有这个字段，实为 1"])

    def test_record_without_results(self) -> None:
        """A record without results, inputs or name is a difference at each of them."""
        self.record = {}
        lines = self.lines()
        self.assertEqual([line.partition("：")[0] for line in lines[-3:]], ["/record", "/inputs", "/results"])
        self.assertEqual(sum("字段不全" in line for line in lines), len(self.printed["figures"]))
        strange: list[Any] = [[], 0, None, True, {"claims": []}, {"chapter_1": 0, "claims": "x"}]
        for value in strange:
            self.record = {**self.expected, "results": value}
            self.assertTrue(any(line.startswith("/results") for line in self.lines()))


class Known(Compared):
    """What a record must name is known to the checker."""

    def test_name(self) -> None:
        """A name that is wrong or missing is a difference, in the record, in the expectation, in both alike."""
        strange: list[Any] = ["lesson-6-1-run", "", 1, None, [], {}]
        for name in strange:
            for pair in ((name, "part-iii-run-v1"), ("part-iii-run-v1", name), (name, name)):
                self.record["record"], self.expected["record"] = pair
                known = '"part-iii-run-v1"' if "part-iii-run-v1" in pair else "part-iii-run-v1 或 lesson-6-1-run-v1"
                shown = wording.written(wording.Literal(1) if name == 1 else name)
                wanted = [f"{whose}/record：应为 {known}，实为 {shown}"
                          for whose, made in zip(("期望的 ", ""), pair[::-1]) if made == name]
                self.assertEqual(self.lines(2), wanted)
        self.assertEqual(self.report()[-1], "下一步：python3 code/part-iii/run.py 重写 run.json")
        self.record["record"] = "part-iii-run-v1"
        self.assertIn("：期望的名称、输入或顶层字段不对；", self.report()[0])
        self.assertEqual(self.report()[-1], "下一步：python3 code/part-iii/derive.py 重写 expected.json")

    def test_the_records_own_name_decides(self) -> None:
        """Explicit files of the lesson are held to the lesson's inputs; a row of the table goes before a name."""
        self.record, self.expected, self.printed = map(plain, FILES[1])
        self.assert_agrees()
        self.expected = plain(FILES[0][1])
        first, *_, last = self.report()
        self.assertIn("期望的 /record：应为 \"lesson-6-1-run-v1\"，实为 \"part-iii-run-v1\"", self.report(True, 2))
        self.assertEqual(last, "下一步：python3 code/part-iii/tests/oracles/lesson_expected.py 重写 "
                               "data/lesson-6-1/expected.json")
        self.expected = plain(FILES[1][1])
        self.assertIn("/record：应为 \"part-iii-run-v1\"，实为 \"lesson-6-1-run-v1\"",
                      self.report(True, 2, known.RECORDS[0]))

    def test_inputs(self) -> None:
        """A list that is empty, of other things, of other files, too short or too long, in both files alike."""
        right = self.record["inputs"]
        lesson = plain(FILES[1][0])["inputs"]
        cases: list[tuple[Any, list[str] | None]] = [
            ([], ["/inputs/0", "/inputs/1"]), (["x"], ["/inputs/0", "/inputs/1"]), ([{}] * 2, None), (lesson, None),
            (right[::-1], None), (right[:1], ["/inputs/1"]), ([*right, right[0]], ["/inputs/2"]), ({}, ["/inputs"]),
            ("x", ["/inputs"]), (None, ["/inputs"]),
            ([right[0], {**right[1], "field": "x"}], ["/inputs/1/field"]),
            ([right[0], {**right[1], "more": 1}], ["/inputs/1/more"]),
            ([{**right[0], "field": "rnn"}, right[1]], ["/inputs/0/field"]),
            ([{**right[0], "path": "../" + right[0]["path"]}, right[1]], ["/inputs/0/path"])]
        for digest in ("x", 1, right[0]["sha256"].upper(), right[0]["sha256"] + "0"):
            cases.append(([{**right[0], "sha256": digest}, right[1]], ["/inputs/0/sha256"]))
        for inputs, places in cases:
            self.both("/inputs", inputs)
            lines = self.lines(2)
            half = len(lines) // 2
            self.assertEqual([line[len("期望的 "):] for line in lines[:half]], lines[half:])
            if places:
                self.assertEqual([line.split("：")[0] for line in lines[half:]], places)
            self.assertIn("：记录的名称、输入或顶层字段不对；", self.report()[0])
            self.record["inputs"] = right
            self.assertIn("：期望的名称、输入或顶层字段不对；", self.report()[0])
            self.record["inputs"], self.expected["inputs"] = inputs, right
            self.assertEqual(self.lines(2), lines[half:])

    def test_opens_nothing_else(self) -> None:
        """Only files of the table are opened, whatever path a record names."""
        for path in ("/etc/hostname", "../x", "data/part-iii/printed-v1.json", "\0", "a\\b", "data//part-ii", 1, None):
            self.both("/inputs/1/path", path)
            with mock.patch.object(command, "read_bytes", wraps=command.read_bytes) as read:
                self.assertIn("/inputs/1/path：", "".join(self.report(files=2)))
            self.assertEqual([call.args[0] for call in read.call_args_list],
                             [*self.paths[:2], *(located(one["path"]) for one in known.RECORDS[0].inputs)])

    def test_table(self) -> None:
        """What the table says of each record is what the programs of the repository do."""
        for row in known.RECORDS:
            run, program = plain(located(row.run)), located(f"code/part-iii/{row.program}")
            self.assertEqual(run["record"], row.name)
            self.assertEqual([{key: one[key] for key in one if key != "sha256"} for one in run["inputs"]], row.inputs)
            for path, name in ((program, row.name), (located(f"code/part-iii/{row.derivation}"), row.name)):
                with open(path, encoding="utf-8") as file:
                    self.assertIn(name, file.read())


class Stale(Compared):
    """The data changed after the expectation was derived, or after the record was made."""

    def setUp(self) -> None:
        """Let a value be another one, as other data would make it."""
        super().setUp()
        right = self.record["inputs"][0]["sha256"]
        self.place = f'/inputs/0/sha256：应为 "{right}"，实为 "{OTHER}"'

    def test_expectation(self) -> None:
        """Nobody is blamed, what the text would lose comes first, and only then the command that derives anew."""
        self.expected = with_value(self.expected, "/inputs/0/sha256", OTHER)
        self.assertEqual(self.report()[1:], [
            f"期望的 {self.place}", "下一步：所印的都还成立：python3 code/part-iii/derive.py 重写 expected.json"])
        self.record = with_value(self.record, LOGIT, "1/2")
        self.record = with_value(self.record, "/results/claims/short-inputs", "depends")
        report = self.report()
        self.assertIn("：数据改过，期望还是按旧数据推导的，谁也没错；", report[0])
        self.assertEqual(report[1:], [
            f"11.2 节，z3，红色（{LOGIT}）：印的 0.375，记录 1/2，推导 3/8：不再成立",
            f"11.2 节，Softmax 算式，指数（{LOGIT}）：印的 0.375，记录 1/2，推导 3/8：不再成立",
            f"表 11.3，第 3 行，Logits，红色（{LOGIT}）：印的 0.375，记录 1/2，推导 3/8：不再成立",
            "/results/claims/short-inputs（11.3 节）：原为 成立，现为 视条件而定",
            f"期望的 {self.place}", f"{LOGIT}：原为 3/8，现为 1/2",
            "下一步：先看上面课文会失去什么：要么改回数据，要么改课文，然后才 python3 code/part-iii/derive.py"])
        self.assertNotIn("走样", "".join(report))
        self.assertEqual(self.report(files=2)[-1], report[-1])  # the verdict alone is a loss
        self.record = with_value(self.record, "/results/claims/short-inputs", "holds")
        self.assertEqual(self.report()[-1], report[-1])

    def test_record(self) -> None:
        """The record of other data is made anew, whether or not the expectation is of the same age."""
        self.record = with_value(with_value(self.record, "/inputs/0/sha256", OTHER), LOGIT, "1/2")
        report = self.report()
        self.assertIn("：数据改过，记录还是按旧数据算的；", report[0])
        self.assertEqual(report[4:], [self.place, f"{LOGIT}：应为 3/8，实为 1/2",
                                      "下一步：python3 code/part-iii/run.py 重写 run.json，再核对"])
        self.assertNotIn("走样", "".join(report))
        self.expected = self.record
        report = self.report()
        self.assertIn("：数据改过，记录和期望都是按旧数据算的；", report[0])
        self.assertEqual(report[4:], [f"期望的 {self.place}", self.place,
                                      "下一步：python3 code/part-iii/run.py 重写 run.json，再核对"])
        self.record = with_value(self.record, "/inputs/0/path", "x")
        self.assertIn("：记录的名称、输入或顶层字段不对；", self.report()[0])

    def test_digest_elsewhere(self) -> None:
        """Only the digest of an input speaks of other data."""
        self.record = with_value(self.record, "/results/order/0/tokens/0", OTHER)
        self.assertIn("：记录与期望不同；", self.report()[0])
        self.record["record"] = OTHER
        self.assertIn("：记录的名称、输入或顶层字段不对；", self.report()[0])


class Printed(Compared):
    """Record and expectation against the figures and claims of the texts."""

    def test_each_figure_can_drift(self) -> None:
        """Each printed figure, changed in its last place, is the one line of the report, with its place in the book."""
        for figure in self.printed["figures"]:
            text = figure["printed"]
            other = {"正确": "错误", "错误": "正确"}.get(text)
            other = other or (text[:-1] + str((int(text[-1]) + 1) % 10) if text[-1].isdigit() else text + "x")
            changed = {"figures": [dict(figure, printed=other)]}
            (fault,) = comparing.figures(changed, self.record, self.expected, False)
            self.assertTrue(fault.line.startswith(f"{figure['place']}（{figure['field']}）：印的 "), fault)
            self.assertTrue(fault.line.endswith("：书中所印走样"), fault)

    def test_one_changed_figure(self) -> None:
        """A changed figure is one difference; its text is cured, not the record."""
        self.figure(printed="0.376")
        report = self.report()
        self.assertTrue(report[0].endswith(
            f"：所印的与记录不合；比较了 {self.counted()}，1 处不同"))
        self.assertEqual(report[1:], [
            f"表 11.3，第 3 行，Logits，红色（{self.at(LOGIT)}）：印的 0.376，记录 3/8，推导 3/8：书中所印走样",
            f"下一步：改正课文或 {command.shown(self.paths[2])}，再 python3 code/part-iii/check.py{ERRATA}"])

    def test_ledger_of_the_repository(self) -> None:
        """A ledger of the repository is named by its path there."""
        name = "data/part-iii/printed-v1.json"
        self.record, self.expected = map(plain, FILES[0][:2])
        self.both(LOGIT.replace("/results/", CHAPTER), "1/2")
        self.both(f"{CHAPTER}claims/x", "holds")
        self.report()
        report = check.check([*self.paths[:2], FILES[0][2]])
        self.assertIn(f"{CHAPTER}claims/x：记录有判定，{name} 里没有这条论断", report)
        self.assertEqual(report[-1], f"下一步：改正课文或 {name}，再 python3 code/part-iii/check.py{ERRATA}")

    def test_who_drifted(self) -> None:
        """The report names the one of three that differs from the other two, and has each value in its place."""
        self.figure()
        start = f"表 11.3，第 3 行，Logits，红色（{self.at(LOGIT)}）：印的 "
        right, derived = self.record, self.expected
        self.record = with_value(right, self.at(LOGIT), "1/2")
        self.assertEqual(self.lines()[0], f"{start}0.375，记录 1/2，推导 3/8：程序的记录走样")
        self.assertEqual(self.report()[-1], AGAIN)
        self.record, self.expected = right, with_value(derived, self.at(LOGIT), "1/2")
        self.assertEqual(self.lines()[0], f"{start}0.375，记录 3/8，推导 1/2：推导走样")
        self.assertIn("：记录与期望不同，所印的与记录相合；", self.report()[0])
        self.assertEqual(self.report()[-1],
                         "下一步：python3 code/part-iii/derive.py 重写 expected.json；仍不同，就查推导")
        self.printed["figures"].append({**self.printed["figures"][0], "printed": "0.5"})
        self.assertIn("：记录与期望不同；", self.report()[0])
        self.figure(printed="0.4", field=self.at(LOGIT))
        self.record = with_value(right, self.at(LOGIT), "1/3")
        self.assertEqual(self.lines()[0], f"{start}0.4，记录 1/3，推导 1/2：三处各不相同")
        self.record, self.expected = (with_value(made, self.at(LOGIT), value)
                                      for made, value in ((right, 1), (derived, "1")))
        self.assertEqual(self.lines()[0], f"{start}0.4，记录 1，推导 1：三处各不相同")

    def test_forms_of_figures(self) -> None:
        """Fractions and integers exactly, decimals and powers of ten rounded half to even, names and truth values."""
        good = [("1/256", "1/256"), ("0.00390625", "1/256"), ("0.004", "1/256"), ("2", "2"), ("red", "red"),
                ("正确", True), ("错误", False), ("0.12", "1/8"), ("0.38", "3/8"), ("-0.375", "-3/8"),
                ("2.31e-07", "2.31e-07"), ("2.3e-7", "2.31e-07"), ("1/2", "2/4"), ("2", "4/2"), ("5", "5.0"),
                ("5e3", "5000"), ("1.2e+3", "1234"), ("1e-1", "1/10"), ("1/0", "1/0"), ("0.5", "1/02"),
                ("3", wording.Literal("3")), ("0.3", "1/3"), ("0.33", "0.333"), ("1.0", "1"), ("12.5", "25/2"),
                ("1.0e999", "1e999"), ("1.0e-999", "1e-999")]
        bad = [("1/256", "1/257"), ("0.0039", "1/250"), ("2", "5/2"), ("正确", False), ("错误", None), ("red", "blue"),
               ("0.13", "1/8"), ("0.37", "3/8"), ("1", True), ("2.32e-07", "2.31e-07"), ("0", None), ("1/2", ["1/2"]),
               ("0.5", "red"), ("red", "0.5"), ("正确", "正确"), ("正确", 1), ("1", 1), ("1e3", "1001"),
               ("red", wording.Literal("red")), ("3", wording.Literal("3E0")), ("2", wording.MISSING), ("1/2e0", "1/2"),
               *(("0.5", text) for text in (
                   "1/2e0", "1/0", "0/0", "1e9999", "１/2", "1/2\n", " 1/2", "+1/2", ".5", "1_0/20", "1.0/2", ""))]
        for printed, value in good:
            self.assertIs(comparing.agrees(printed, value), True, (printed, value))
        for printed, value in bad:
            self.assertIs(comparing.agrees(printed, value), False, (printed, value))

    def test_long_numbers(self) -> None:
        """A recorded value is calculated with up to 5,000 characters, whatever the interpreter's limit of digits."""
        for digits, agrees in ((4998, True), (4999, False)):
            self.assertIs(comparing.agrees("0.3", "0." + "3" * digits), agrees)
        self.assertFalse(comparing.agrees("0.3", "0." + "3" * 4300 + "/" + "1"))
        self.figure(field=self.at("/results/order/0/state/0"), printed="0.3")
        self.both(self.at("/results/order/0/state/0"), "1" * 2000 + "/" + "3" * 2000)
        self.assert_agrees()
        self.both(self.at("/results/order/0/state/0"), "1" * 2000 + "/" + "3" * 1999)
        shown = f"{'1' * 40}…（共 4000 个字符）"
        self.assertEqual([line.partition("印的 ")[2] for line in self.lines()],
                         [f"0.3，记录 {shown}，推导 {shown}：书中所印走样"])

    def test_field_that_is_not_there(self) -> None:
        """A figure whose pointer leads nowhere in one of the records or in both is reported, also when disputed."""
        nowhere = self.at("/results/x")
        for more in ({}, {"disputed": self.printed["claims"][0]["id"]}, {"disputed": "no-such-claim"}):
            for files in (("record",), ("expected",), ("record", "expected"), ()):
                self.figure(field=nowhere, printed="1/2", **more)
                before = self.record, self.expected
                if len(files) < 2:
                    for name in {"record", "expected"} - set(files) if files else ():
                        made = copy.deepcopy(getattr(self, name))
                        reading.at(made, self.at("/results"))["x"] = "1/2"
                        setattr(self, name, made)
                line = self.lines()[0]
                old, new = ("没有这个字段" if name in files or not files else "1/2" for name in ("record", "expected"))
                self.assertTrue(line.endswith(f"（{nowhere}）：印的 1/2，记录 {old}，推导 {new}：字段不全"), line)
                self.record, self.expected = before

    def test_disputed_figures(self) -> None:
        """A disputed figure must differ from both, and its claim must be there and fail or depend."""
        name = self.printed["claims"][0]["id"]
        verdict = self.at(f"/results/claims/{name}")
        self.figure(printed="0.5", disputed=name)
        for judged, reason in (("fails", ""), ("depends", ""), ("holds", '"holds"'), ("outside", '"outside"'),
                               (True, "true"), ({}, "对象（0 个字段）")):
            self.both(verdict, judged)
            lines = [line for line in self.lines_or_none() if line.startswith("表 11.3")]
            wanted = [f"标为有争议，而论断 {name} 的判定是 {reason}"] if reason else []
            self.assertEqual([line.rpartition("：")[2] for line in lines], wanted, judged)
        self.both(verdict, "fails")
        self.figure(printed="0.5", disputed="no-such-claim")
        self.assertTrue(self.lines()[0].endswith("：标为有争议，而论断 no-such-claim 的判定是 没有这个字段"))
        for values in (("3/8", "3/8"), ("3/8", "1/2"), ("1/2", "3/8")):
            self.figure(disputed=name)
            self.record, self.expected = (with_value(made, self.at(LOGIT), value)
                                          for made, value in zip((self.record, self.expected), values))
            self.assertTrue(self.lines()[0].endswith(f"推导 {values[1]}：标为有争议（{name}），其实相符"), self.lines())

    def lines_or_none(self) -> list[str]:
        """Return the faults, if there are any."""
        report = self.report(True)
        return report[1:-1]

    def test_claims(self) -> None:
        """A verdict without claim, a claim without verdict, a claim written twice, evidence that is lost or missing."""
        first = self.printed["claims"][0]
        start, place = f"{first['place']}，论断 {first['id']}：", self.at(f"/results/claims/{first['id']}")
        surplus = f"{place}：记录有判定，{command.shown(self.paths[2])} 里没有这条论断"
        none = "没有判定，或判定不是 holds、fails、depends、outside："
        self.claim(id="other")
        self.assertEqual(self.lines(), [f"{first['place']}，论断 other：{none}没有这个字段", surplus])
        self.claim(**{**first, "evidence": [self.at("/results/order"), self.at("/results/x"), "x"]})
        self.assertEqual(self.lines(), [f'{start}证据 "{self.at("/results/x")}" 不在记录里'])
        self.claim(evidence=[])
        for judged in ("fails", "depends", "holds"):
            self.both(place, judged)
            self.assertEqual(self.lines(), [f"{start}判为 {judged}，却没有列出证据"])
        self.both(place, "outside")
        self.assert_agrees()
        self.claim(**first)
        for verdict, shown in (("x", '"x"'), (True, "true"), ([], "列表（0 项）"), ({}, "对象（0 个字段）"),
                               (None, "null"), (1, "1")):
            self.both(place, verdict)
            self.assertEqual(self.lines(), [f"{start}{none}{shown}"])
        self.both(place, "fails")
        self.printed["claims"].append(first)
        self.assertEqual(self.lines(), [f"{start}写了两次"])
        self.printed["claims"] = self.printed["claims"][1:-1]
        self.assertEqual(self.lines(), [surplus])
        for made in (self.record, self.expected):
            verdicts = reading.at(made, self.at("/results/claims"))
            verdicts["a/b~"] = verdicts.pop(first["id"])
        self.assertEqual(self.lines(), [surplus.replace(first["id"], "a~1b~0")])

    def test_changed_verdict(self) -> None:
        """A verdict that is not as expected is named in words, with the claim's place in the text."""
        first = self.printed["claims"][0]
        place = self.at(f"/results/claims/{first['id']}")
        self.record = with_value(self.record, place, "fails")
        self.assertEqual(self.lines(), [f"{place}（{first['place']}）：应为 成立，实为 不成立"])
        self.assertEqual(self.lines(2), [f"{place}：应为 成立，实为 不成立"])
        self.expected = with_value(self.expected, place, "depends")
        self.record = with_value(self.record, place, "outside")
        self.assertEqual(self.lines(), [f"{place}（{first['place']}）：应为 视条件而定，实为 判定不了"])
        for value, shown in (("x", '"x"'), ([], "列表（0 项）"), (1, "1")):
            self.record = with_value(self.record, place, value)
            self.assertEqual(self.lines(2), [f"{place}：应为 视条件而定，实为 {shown}"])
        self.record = copy.deepcopy(self.expected)
        verdicts = reading.at(self.record, self.at("/results/claims"))
        verdicts["a/b~"] = verdicts.pop(first["id"])
        self.claim(id="a/b~")
        self.assertEqual(self.lines(), [
            f"{place}：应为 视条件而定，实为 没有这个字段",
            f"{self.at('/results/claims/')}a~1b~0（{first['place']}）：应为 没有这个字段，实为 视条件而定"])


class Chapters(Printed):
    """The same record with its results in chapters, each of which ends in its own claims."""

    prefix = "/chapter_11"

    def setUp(self) -> None:
        """Move the results into a chapter, and half of the claims into the next one."""
        super().setUp()
        for made in (self.record, self.expected):
            results = made["results"]
            half = list(results["claims"])[14:]
            made["results"] = {"chapter_11": results, "chapter_12": {"tanh": "0.964028", "claims": {
                name: results["claims"].pop(name) for name in half}}}
        self.printed = json.loads(json.dumps(self.printed).replace('"/results/', '"/results/chapter_11/'))

    def test_one_changed_figure(self) -> None:
        """A changed figure of a chapter is one difference among those of all chapters."""
        self.figure(printed="0.376")
        self.assertTrue(self.report()[0].endswith(f"比较了 {self.counted()}，1 处不同"))

    def test_both_verdicts(self) -> None:
        """A claim that is judged in two chapters has no verdict; claims elsewhere in the record are none."""
        self.assert_agrees()
        first = self.printed["claims"][0]["id"]
        self.both("/results/chapter_12/claims/" + self.printed["claims"][-1]["id"], "outside")
        for made in (self.record, self.expected):
            made["results"]["chapter_12"]["claims"][first] = "holds"
        self.assertEqual([line.rpartition("：")[2] for line in self.lines()], ["没有这个字段"])
        for made in (self.record, self.expected):
            made["results"]["chapter_x"] = {"claims": made["results"]["chapter_12"].pop("claims")}
        self.assertEqual(len(self.lines()), 33 - 14)

    def test_groups(self) -> None:
        """Fields are collapsed by the chapter's own places."""
        for pointer in pointers(self.record["results"]["chapter_11"]["order"]):
            self.record = with_value(self.record, "/results/chapter_11/order" + pointer, "x")
        self.record["results"]["chapter_12"]["tanh"] = "0"
        with mock.patch.object(check, "FEW", 3):
            report = self.report(files=2)
        self.assertEqual(report[1:-1], [
            "字段（11 处）", "  /results/chapter_11/order（10 处）：如 /0/tokens/0：应为 \"red\"，实为 \"x\"",
            "  /results/chapter_12/tanh：应为 0.964028，实为 0", "加 --all 逐处列出"])


class Report(Compared):
    """A decision, not a list."""

    def spoil(self) -> None:
        """Let the record halve no longer: many figures, verdicts and fields change."""
        for place in pointers(self.record["results"]["example_11_1"]):
            self.record = with_value(self.record, "/results/example_11_1" + place, "7")
        self.record = with_value(self.record, "/results/order/0/state/0", "7")
        for name in ("short-inputs", "blues-pile-up"):
            self.record = with_value(self.record, f"/results/claims/{name}", "fails")

    def test_few_or_many(self) -> None:
        """Up to ten differences are listed one by one, without a heading; eleven are collapsed."""
        places = pointers(self.record["results"]["repairs"])
        for number, place in enumerate(places, 1):
            self.record = with_value(self.record, f"/results/repairs{place}", "x")
            report = self.report(files=2)
            self.assertEqual(len(report), 2 + number if number <= 10 else 5)
            if number > 10:
                break
        self.assertEqual(report[1:], [
            "字段（11 处）", "  /results/repairs（11 处）：如 /retained_weight_above/power：应为 8，实为 \"x\"",
            "加 --all 逐处列出", AGAIN])

    def test_decision(self) -> None:
        """Figures by table come first, then verdicts, then other fields with a count and the first example."""
        self.spoil()
        report = self.report()
        everything = self.lines()
        figures = [line for line in everything if "印的" in line]
        fields = len(everything) - len(figures) - 2
        titles = [line for line in report if not line.startswith(" ")]
        self.assertEqual(titles, [report[0], f"不成立的所印数值（{len(figures)} 处）", "判定（2 处）",
                                  f"字段（{fields} 处）", "加 --all 逐处列出", AGAIN])
        self.assertTrue(report[2].startswith("  表 11.1，程序的记录走样："))
        self.assertTrue(report[3].startswith("    ") and report[3][4] != " ")
        text = "".join("".join(report).split())  # where a line is broken is not this test's matter
        parts = [text.index(title) for title in ("不成立的所印数值", "判定（", "字段（", "加--all")]
        for figure in figures:
            table = comparing.head(figure)
            rest = figure[len(table) + 1:].partition("（")[0].replace(" ", "")
            self.assertIn(rest, text[text.index(f"{table}，程序的记录走样：".replace(" ", "")): parts[1]])
        self.assertIn("；第2行，新数值，红色0.5→7；", text[:parts[1]])
        self.assertEqual(text[parts[1]: parts[2]],
                         "判定（2处）应为成立，实为不成立：short-inputs（11.3节）；blues-pile-up（第11章，解答2）")
        self.assertEqual(report[-4:-2], [f"  /results/example_11_1（{fields - 1} 处）：如 /0/t：应为 1，实为 7",
                                         "  /results/order/0/state/0：应为 1/4，实为 7"])

    def test_line_lengths(self) -> None:
        """No line is longer than 300 characters, whatever stands in the files, and none has a line break."""
        self.spoil()
        self.record["results"]["claims"]["x\n" * 99] = "y" * 1000
        self.record["results"]["order"][0]["state"][0] = "9" * 100000
        self.record["results"]["k" * 200] = {"l" * 200: [1]}
        self.expected["results"]["k" * 200] = {"l" * 200: [2]}
        self.printed["figures"][0]["place"] = "表" * 1000
        self.printed["claims"][0]["id"] = "a\u2028" * 400
        for option in ([], ["--all"]):
            self.report()
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                self.assertEqual(check.main([*option, *self.paths]), 1)
            lines = output.getvalue().split("\n")
            self.assertEqual(max(map(len, lines)), 300)
            self.assertFalse(any("\u2028" in line for line in lines))
        self.assertEqual([wording.cut("x" * size) for size in (299, 300, 301)], ["x" * 299, "x" * 300, "x" * 299 + "…"])

    def test_many_fields(self) -> None:
        """Ten thousand different fields or claims are counted, and no more."""
        for size, start in ((9_998, "，9999 处"), (9_999, "，至少 10000 处"), (20_000, "，至少 10000 处")):
            self.record = with_value(self.record, "/results/order", [0] * size)
            self.record["results"]["boundary"] = 0
            self.assertIn(start, self.report(files=2)[0])
        self.record, self.expected = self.expected, with_value(self.expected, "/inputs", [0] * 20_000)
        self.assertIn("，至少 10000 处", self.report(files=2)[0])
        self.expected = self.record
        self.record = copy.deepcopy(self.record)
        for chapter in range(11):
            self.record["results"][f"chapter_{chapter}"] = {"claims": {f"{chapter} {i}": "holds" for i in range(999)}}
        self.assertIn("，至少 10011 处", self.report()[0])

    def test_short_forms(self) -> None:
        """A collapsed figure has what is printed and what it would be, in the words of a text."""
        values = [(True, "正确"), (False, "错误"), ("blue", "blue"), ("1/3", "1/3"), (None, "null"),
                  ("7" * 24, "7" * 24), ("7" * 25, "7" * 23 + "…")]
        for value, shown in values:
            self.assertEqual(wording.in_print(value), shown)
        figure = {"place": "表 1，甲，乙", "printed": "3" * 30, "field": "/results/x"}
        run, expected = {"results": {"x": "1/2"}}, {"results": {"x": "1/3"}}
        (fault,) = comparing.figures({"figures": [figure]}, run, expected, False)
        self.assertEqual(fault[:2], ("表 1，三处各不相同", f"甲，乙 {'3' * 23}… → 1/2 / 1/3"))
        for text, shown in (("3" * 40, "3" * 40), ("3" * 41, "3" * 40 + "…（共 41 个字符）")):
            (fault,) = comparing.figures({"figures": [{**figure, "printed": text}]}, run, expected, False)
            self.assertEqual(fault.line, f"表 1，甲，乙（/results/x）：印的 {shown}，记录 1/2，推导 1/3：三处各不相同")
        (fault,) = comparing.figures({"figures": [figure]}, run, run, True)
        self.assertEqual(fault[:2], ("表 1", f"甲，乙 {'3' * 23}… → 1/2"))
        (fault,) = comparing.figures({"figures": [{**figure, "printed": "0.5"}]}, run, expected, True)
        self.assertEqual(fault[:2], ("表 1", "甲，乙 0.5 → 1/3"))
        run["results"]["claims"] = {"c": "fails"}  # type: ignore[assignment]
        (fault,) = comparing.figures({"figures": [{**figure, "printed": "0.5", "disputed": "c"}]}, run, run, False)
        self.assertEqual(fault[:2], ("表 1，标为有争议（c），其实相符", "甲，乙 0.5 → 1/2"))


class Pointers(unittest.TestCase):
    """JSON Pointers into a record."""

    def test_at(self) -> None:
        """A pointer leads to what its parts name, with ~1 for a slash and ~0 for a tilde."""
        value = {"a": [{"b/c~": "x"}, 2], "": {"": 3}, "~1": 4, "0": 5}
        right = {"/a/0/b~1c~0": "x", "/a/1": 2, "//": 3, "/~01": 4, "/0": 5, "/a": value["a"]}
        for pointer, found in right.items():
            self.assertEqual(reading.at(value, pointer), found, pointer)
        for pointer, _ in reading.leaves(value):
            self.assertIsNot(reading.at(value, pointer), wording.MISSING, pointer)
        for key in ("a/b", "~", "~1", "/~0", "", 3):
            self.assertEqual(reading.unescaped(reading.escaped(key)), str(key))

    def test_nowhere(self) -> None:
        """Without a leading slash, past an end, with a sign or zero before, into a text, below what is not there."""
        value = {"a": [10, 20, [30]], "b": "text", "c": None, "a0": 1}
        for pointer in ("", "a", "a/0", "x/a", "/a/3", "/a/-1", "/a/01", "/a/00", "/a/1.0", "/a/+1", "/a/ 1", "/a/１",
                        "/a/", "/a/x", "/b/0", "/c/x", "/x", "/x/y", "/a/0/0", "/a/2/1", "/a/9999999999", "/b/", "/"):
            self.assertIs(reading.at(value, pointer), wording.MISSING, pointer)
        self.assertEqual(reading.at(list(range(11)), "/10"), 10)


class Files(Compared):
    """What cannot be compared is refused."""

    def test_refused(self) -> None:
        """Each text here is refused with its place; an expectation without results is no success."""
        deep = "[" * 70 + "]" * 70
        many = ", ".join(f'"{i}": 1' for i in range(1001))
        cases = {'{"a": 1, "a": 2}': '文件顶层：键 "a" 重复了', '{"a": [NaN]}': "/a/0：NaN 不是数",
                 '{"a": [-Infinity]}': "/a/0：-Infinity 不是数",
                 '{"x": 1, "a": {"b": NaN, "b": 2}}': '/a：键 "b" 重复了',
                 f'{{"a": {deep}}}': "嵌套超过 64 层", "[" * 100000: "嵌套超过 64 层",
                 "{": "第 1 行第 2 列：不是合法的 JSON", '{"a":\n1 2}': "第 2 行第 3 列：不是合法的 JSON",
                 "": "第 1 行第 1 列：不是合法的 JSON", "[1]": "应为一个 JSON 对象", "1": "应为一个 JSON 对象",
                 '{"' + "k" * 201 + '": 1}': "文件顶层：有一个键超过 200 个字符",
                 f'{{"a": {{{many}}}}}': "/a：对象有 1001 个字段，多于 1000",
                 '{"a": {"' + "b" * 200 + '": {"' + "c" * 200 + '": NaN}}}': f"/a/{'b' * 200}/{'c' * 95}…：NaN 不是数"}
        for text, message in cases.items():
            self.record = text
            self.assert_refused(0, message)
        self.record = plain(FILES[0][0])
        for results in ({}, [1], 0, None, wording.MISSING):
            self.expected = {} if results is wording.MISSING else {"inputs": [], "results": results}
            self.assert_refused(1, "期望里没有可比的字段：应有 results")

    def test_limits(self) -> None:
        """64 levels, keys of 200 characters and objects of 1,000 members are read."""
        levels = reading.parse("{\"a\": " + "[" * 63 + "]" * 63 + "}", "x")
        self.assertEqual(len(pointers(levels)[0].split("/")), 64)
        wide = {f"{i}": i for i in range(999)}
        wide["k" * 200] = 0
        self.assertEqual(reading.parse(json.dumps(wide), "x"), {key: str(value) for key, value in wide.items()})
        self.record = '{"a": "' + "," * 999_999 + '"}'  # a million with the bracket; texts count too
        self.assertIn("实为 没有这个字段", self.report(files=2)[1])
        self.record = '{"a": "' + "," * 1_000_000 + '"}'
        self.assert_refused(0, "超过 1000000 个值")
        for text in (self.record, "红" * (1 << 25)):  # what would be refused is not written
            with self.assertRaisesRegex(Refused, "：写不进去：会超过 64 MiB 或 1000000 个值$"):
                command.write_record(self.paths[1], text)
        text = json.dumps(plain(FILES[0][1]))
        command.write_record(self.paths[1], text + " " * ((64 << 20) - len(text)))
        self.assertEqual(len(check.check([FILES[0][0], self.paths[1]])), 1)

    def test_depth(self) -> None:
        """Files of 64 levels pass and of 65 do not; brackets in texts count for nothing."""
        for levels in (64, 65):
            self.both("/results/order", json.loads("[" * (levels - 2) + "]" * (levels - 2)))
            self.both("/results/boundary", "[" * 70 + '"\\')
            if levels == 64:
                self.assertEqual(len(self.report(files=2)), 1)
            else:
                self.assert_refused(0, "嵌套超过 64 层")

    def test_large_records(self) -> None:
        """A record of more than 1 MiB is compared, up to 64 MiB; a ledger of that size is refused."""
        self.both("/results/order/0/state/0", "1/3" + "0" * (2 << 20))
        self.figure(field="/results/order/1/state/0", printed="1")
        self.assert_agrees()
        self.record = with_value(self.record, "/results/order/0/state/0", "1/3" + "0" * (2 << 20) + "1")
        want, have = (f"1/3{'0' * 77}…（共 {(2 << 20) + size} 个字符）" for size in (3, 4))
        self.assertEqual(self.lines(), [f"/results/order/0/state/0：应为 {want}，实为 {have}"])
        for path, more, refusal in ((self.paths[0], 0, "不是合法的 JSON"), (self.paths[0], 1, "文件超过 64 MiB"),
                                    (self.paths[1], 1, "文件超过 64 MiB")):
            self.record = plain(FILES[0][0])
            self.report(files=2)
            os.truncate(path, (64 << 20) + more)  # the rest is zeros
            with self.assertRaisesRegex(Refused, f"{re.escape(command.shown(path))}：.*{refusal}"):
                check.check(self.paths[:2])
        self.printed["note"] = "x" * (1 << 20)
        self.assert_refused(2, "文件超过 1 MiB")

    def test_not_utf_8(self) -> None:
        """The byte at which a file is no longer UTF-8 is named; a byte order mark is none of the text."""
        self.report()
        with open(self.paths[2], "wb") as file:
            file.write(b'{"a": "\xff"}')
        with self.assertRaisesRegex(Refused, "第 8 个字节起不是 UTF-8"):
            check.check(self.paths)
        with open(self.paths[0], "wb") as file:
            file.write(b"\xef\xbb\xbf" + json.dumps(self.record).encode())
        self.assertEqual(len(check.check(self.paths[:2])), 1)

    def test_ledger(self) -> None:
        """A printed file with a member that is missing, empty, too long or of another kind is refused at its place."""
        right = copy.deepcopy(self.printed)
        texts: list[Any] = ["", 1, None, [], "x" * 1001, wording.MISSING]
        lists: list[Any] = [None, "x", {}, [1], [None], ["/results", 0], wording.MISSING]
        for kind, names in (("figures", ["place", "printed", "field", "disputed"]),
                            ("claims", ["id", "place", "claim", "repeat", "evidence"])):
            whole: list[Any] = [[], {}, None, "x", 1, wording.MISSING]
            for value in whole:
                self.printed = {**right, kind: value}
                if value is wording.MISSING:
                    del self.printed[kind]
                self.assert_refused(2, f"/{kind}：应为列表，至少一项")
            for value, shown in (([], "列表（0 项）"), ("x", '"x"'), (None, "null")):
                self.printed = {**right, kind: [right[kind][0], value]}
                self.assert_refused(2, f"/{kind}/1：应为对象，实为 {shown}")
            for name in names:
                for value in lists if name == "evidence" else texts:
                    self.printed = copy.deepcopy(right)
                    self.printed[kind][1].update({"disputed": "x", "repeat": "x", name: value})
                    if value is wording.MISSING:
                        del self.printed[kind][1][name]
                    shown = wording.written(wording.Literal(1) if value == 1 else value)
                    reason = "应为文字的列表" if name == "evidence" else f"应为 1 至 1000 个字符的文字，实为 {shown}"
                    if value is not wording.MISSING or name not in ("disputed", "repeat"):
                        self.assert_refused(2, f"/{kind}/1/{name}：{reason}")
        for value in ("x", None, {}, [1]):
            self.printed = {**right, "places": value}
            self.assert_refused(2, "/places：应为文字的列表")
        self.printed = {**right, "places": []}
        self.printed["figures"][0]["place"] = "x" * 1000
        self.printed["claims"][0]["repeat"] = "y"
        self.assert_agrees()


class Author(Compared):
    """What the texts should correct."""

    def errata(self) -> list[str]:
        """Return the list for the three files."""
        texts = [json.dumps(value) for value in (self.record, self.printed)]
        return list(errata.errata(reading.parse(texts[0], "x"), reading.parse(texts[1], "y"), known.RECORDS[0]))

    def test_nothing(self) -> None:
        """Chapter 11 is right throughout."""
        self.assertEqual(self.errata(), ["data/part-iii/printed-v1.json：0 处印的与算出的不合", ""])

    def test_entries(self) -> None:
        """Each has its place, what is printed, what is computed and the command; figures stand before claims."""
        self.printed["figures"] = [
            {"place": "表 3，子", "printed": "0.5", "field": "/results/x/0", "disputed": "none"},
            {"place": "表 2，甲", "printed": "0.5", "field": "/results/x/0", "disputed": "b"},
            {"place": "表 1，乙", "printed": "0.25", "field": "/results/x/1", "disputed": "a"},
            {"place": "表 1，丙", "printed": "0.5", "field": "/results/x/1"},
            {"place": "表 1，丁", "printed": "0.75", "field": "/results/none"}]
        self.printed["claims"] = [
            {"id": "a", "place": "表 1、表 2", "claim": "甲。", "evidence": ["/results/x", "/results/y"],
             "repeat": "do this"},
            {"id": "b", "place": "表 2", "claim": "乙。", "evidence": ["/results/y"]},
            {"id": "c", "place": "表 2", "claim": "丙。", "evidence": ["/results/y"]},
            {"id": "d", "place": "开头", "claim": "丁。", "evidence": []},
            {"id": "e", "place": "开头", "claim": "戊。", "evidence": []},
            *({"id": name, "place": place, "claim": "己。", "evidence": ["/results/y"]}
              for name, place in (("f", "附一"), ("g", "附二"), ("h", "附一")))]
        verdicts = {"a": "fails", "b": "depends", "c": "holds", "d": "outside", **dict.fromkeys("fgh", "fails")}
        self.record["results"] = {"x": ["1/3", "1/2"], "y": {"t": 1}, "claims": verdicts}
        again = "  重做：python3 code/part-iii/run.py"
        three = [["表 3，子", "  印的是 0.5", "  算出：/results/x/0 1/3", again, ""]]
        two = [["表 2，甲", "  印的是 0.5", "  算出：/results/x/0 1/3", again, ""],
               ["表 2", "  视条件而定：乙。", "  算出：/results/y {t 1}", again, ""]]
        one = [["表 1，乙", "  印的是 0.25", "  算出：/results/x/1 1/2", "  重做：do this", ""],
               ["表 1，丁", "  印的是 0.75", "  算出：/results/none 没有这个字段", again, ""],
               ["表 1、表 2", "  不成立：甲。", "  算出：/results/x [1/3, 1/2]；/results/y {t 1}",
                "  重做：do this", ""]]
        more = [[place, "  不成立：己。", "  算出：/results/y {t 1}", again, ""] for place in ("附一", "附一", "附二")]
        heading = ["data/part-iii/printed-v1.json：9 处印的与算出的不合", ""]
        self.assertEqual(self.errata(), sum(three + two + one + more, heading))
        for places, entries in ((["附一", "附二", "表 1", "表 2"], more + one + two + three),
                                (["附一", "附二", "表 1"], more + one + three + two)):
            self.printed["places"] = places
            self.assertEqual(self.errata(), sum(entries, heading))
        self.record["results"] = {"x": ["1/2", "1/2"], "chapter_13": {"y": "3", "claims": verdicts}}
        self.printed["figures"] = [{"place": "表 1", "printed": "4", "field": "/results/chapter_13/y"}]
        again += " --chapter 13 --all"
        self.assertEqual([line for line in self.errata() if "重做" in line], [*[again] * 4, "  重做：do this", again])

    def test_brief(self) -> None:
        """A short list or object is shown with what it holds, a long one by its size."""
        cases: list[tuple[Any, str]] = [
            ([], "[]"), ({}, "{}"), (["1/2", ["red"], None], '[1/2, ["red"], null]'),
            ({"a": {"b": "1"}, "c": "2"}, "{a {b 1}, c 2}"),
            (["1"] * 10, "[" + "1, " * 9 + "1]"), (["1"] * 11, "列表（11 项）"),
            ({str(i): 1 for i in range(11)}, "对象（11 个字段）"), ("7" * 41, "7" * 40 + "…（共 41 个字符）"),
            (["7" * 40] * 3 + ["8" * 32], f"[{('7' * 40 + ', ') * 3}{'8' * 32}]"),  # 160 characters
            (["7" * 40] * 3 + ["8" * 33], "列表（4 项）")]
        for value, shown in cases:
            self.assertEqual(wording.brief(value), shown)


class Command(unittest.TestCase):
    """The command line."""

    def output(self, *arguments: str) -> tuple[int, str]:
        """Return exit code and output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = check.main(list(arguments))
        self.assertIs(type(code), int)
        return code, output.getvalue()

    def test_help(self) -> None:
        """-h and --help print the help, wherever they stand."""
        for arguments in (["-h"], ["--help"], ["--all", "-h"], ["x", "--help", "y", "z", "w"]):
            self.assertEqual(self.output(*arguments), (0, check.HELP + "\n"))

    def test_refused(self) -> None:
        """One file, four files, unknown options, two options and empty names are refused."""
        run, expected, printed = FILES[0]
        for arguments in ([run], [run, expected, printed, run], ["-x"], ["--all", "--errata"], ["--all", "--all"],
                          ["--al"], ["-"], ["--errata", run, expected, printed], ["--all", run]):
            with self.assertRaises(Refused) as caught:
                check.main(arguments)
            self.assertEqual(str(caught.exception), "命令行：不写参数，或写两至三个文件：运行记录 期望 [所印数值]；"
                                                    "选项只有 --all 或 --errata")
        for arguments in (["", ""], [run, ""], [run, expected, ""]):
            with self.assertRaises(Refused) as caught:
                check.main(arguments)
            self.assertEqual(str(caught.exception),
                             "命令行：有一个文件名是空的；应写两至三个文件：运行记录 期望 [所印数值]")

    def test_everything(self) -> None:
        """Without files every record of the table is checked, with files they alone; --all changes neither."""
        reports = [check.check(files, row)[0] for files, row in zip(FILES, known.RECORDS)]
        for option in ([], ["--all"]):
            self.assertEqual(self.output(*option), (0, "\n".join([*reports, ""])))
            self.assertEqual(self.output(*FILES[1], *option), (0, reports[1] + "\n"))
        self.assertEqual(self.output(*FILES[0][:2])[0], 0)

    def test_differences(self) -> None:
        """A difference in any record makes the exit code 1, and the others are still reported."""
        right = reading.read
        for wrong in (0, 1):
            def read(path: str, *most: int, wrong: int = wrong) -> Any:
                value = right(path, *most)
                if path == FILES[wrong][0]:
                    held = (value["results"] if wrong else value["results"]["chapter_11"])["claims"]
                    held[next(iter(held))] = "depends"
                    value["results"].update(dict.fromkeys("abcdefghijk", 1))
                return value

            with mock.patch.object(check, "read", read):
                code, output = self.output()
                self.assertEqual((code, output.count("全部一致"), output.count("处不同")), (1, 1, 1))
                for whole, shown in ((False, output), (True, self.output("--all")[1])):
                    report = check.check(FILES[wrong], whole=whole)
                    self.assertEqual(len(report), 14 if whole else len(report))
                    self.assertIn("".join("".join(report).split()), "".join(shown.split()))
                    sentences = [line for line in shown.split("\n") if not re.match(" *[/{]|.*：如 ", line)]
                    self.assertEqual([line for line in sentences if columns(line) > 80], [])
                code, output = self.output("--errata")
                self.assertEqual((code, output.count("处不同"), output.count("全部一致")), (1, 1, 0))
                self.assertNotIn("下一步", output)
                claim = plain(FILES[wrong][2])["claims"][0]  # the record's verdict counts, not the expectation's
                self.assertIn(f"视条件而定：{claim['claim']}".replace(" ", ""), "".join(output.split()))
                self.assertIn(f"\n{known.RECORDS[wrong].run}：", output)

    def test_errata(self) -> None:
        """The lesson's errata stand in the order of its text; a row without a ledger has none."""
        code, output = self.output("--errata")
        self.assertEqual(code, 0)
        book, lesson = output.split(f"{FILES_OF_THE_LESSON}：")
        self.assertEqual([entry.split("\n")[:2] for entry in book.split("\n\n")[1:-1]], [
            ["例 13.2，总损失，十六位小数", "  印的是 1.2447947988461912"],
            ["例 13.2、解答 5", "  不成立：总损失的十六位小数是 1.2447947988461912。"],
            ["第 13 章，解答 5，总损失，十六位小数", "  印的是 1.2447947988461912"]])
        places = [entry.split("\n")[0] for entry in lesson.split("\n\n")[1:-1]]
        self.assertEqual(places, sorted(places, key=lambda place: LESSON.index(comparing.head(place))))
        printed, claims = plain(FILES[1][2]), plain(FILES[1][0])["results"]["claims"]
        wrong = [claim for claim in printed["claims"] if claims[claim["id"]] in ("fails", "depends")]
        disputed = [figure["place"] for figure in printed["figures"] if "disputed" in figure]
        self.assertEqual(sorted(places), sorted([*disputed, *(claim["place"] for claim in wrong)]))
        for member in (*printed["figures"], *printed["claims"]):
            self.assertIn(comparing.head(member["place"]), LESSON)
        row = known.RECORDS[0]._replace(printed=None)
        with mock.patch.object(check, "RECORDS", [row]):
            self.assertEqual(self.output("--errata"), (0, ""))
            fields = reading.count(plain(FILES[0][1])) - 1  # the record's name is none
            self.assertEqual(self.output()[1], f"run.json：{fields} 个字段；全部一致\n")
        with tempfile.TemporaryDirectory() as folder:
            large = os.path.join(folder, "run.json")
            with open(large, "w", encoding="utf-8") as file:
                file.write(json.dumps(plain(FILES[1][0])) + "\n" * (1 << 20))
            with mock.patch.object(check, "files_of", lambda row: [large, *FILES[1][1:]]), \
                    mock.patch.object(check, "RECORDS", known.RECORDS[1:]):
                self.assertIn(self.output("--errata")[1], output)


FILES_OF_THE_LESSON = "data/lesson-6-1/printed-v1.json"
# The lesson from its first line to its last.
LESSON = ["开头", "第一节", "第二节", "第三节", "第四节", "第五节的标题", "第五节", "第七节", "程序清单",
          "程序清单的注释", "第七节的清单", "实跑输出的标题", "实跑输出", "输出之后", "30 秒实验",
          "30 秒实验第 1 题", "30 秒实验第 2 题", "30 秒实验第 3 题", "常见误区", "自测第 2 问", "自测第 3 问", "结尾"]


class Spoiled(Compared):
    """Whatever stands in a file, the checker answers in a report or in one line."""

    def test_seeded(self) -> None:
        """A hundred spoiled files: a report with a difference, or Refused; oracles/properties.py tries thousands."""
        dice = random.Random(9)
        right = {"record": self.record, "expected": self.expected, "printed": self.printed}
        for _ in range(100):
            name = dice.choice(list(right))
            vars(self).update(right)
            vars(self)[name] = spoiled(right[name], dice)
            with contextlib.suppress(Refused):
                report = self.report()
                # another wording of a claim, or another place that holds the same value, is no difference
                self.assertTrue(len(report) > 2 or name == "printed", report)


if __name__ == "__main__":
    unittest.main()
