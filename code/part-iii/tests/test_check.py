"""The checker: what a record must name, what the report says and advises, and the command line."""
from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import re
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

import check
from checking import comparing, counts, errata, known, reading, wording
from support import command
from support.command import Refused, located
from support.show import columns
from tests.checked import AGAIN, FILES, LOGIT, Compared
from tests.shared import loaded, pointers, with_value

OTHER = "f0" * 32  # the sha256 of other data


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
                          for whose, kind in zip(("期望的 ", ""), pair[::-1]) if kind == name]
                self.assertEqual(self.lines(2), wanted)
        self.assertEqual(self.report()[-1], "下一步：python3 code/part-iii/run.py 重写 run.json")
        self.record["record"] = "part-iii-run-v1"
        self.assertIn("：期望的名称、输入或顶层字段不对；", self.report()[0])
        self.assertEqual(self.report()[-1], "下一步：python3 code/part-iii/derive.py 重写 expected.json")

    def test_the_records_own_name_decides(self) -> None:
        """Explicit files of the lesson are held to the lesson's inputs; a row of the table goes before a name."""
        self.record, self.expected, self.printed = map(loaded, FILES[1])
        self.assert_agrees()
        self.expected = loaded(FILES[0][1])
        first, *_, last = self.report()
        self.assertIn("期望的 /record：应为 \"lesson-6-1-run-v1\"，实为 \"part-iii-run-v1\"", self.report(True, 2))
        self.assertEqual(last, "下一步：python3 code/part-iii/tests/oracles/lesson_expected.py --write 重写 "
                               "data/lesson-6-1/expected.json")
        self.expected = loaded(FILES[1][1])
        self.assertIn("/record：应为 \"part-iii-run-v1\"，实为 \"lesson-6-1-run-v1\"",
                      self.report(True, 2, known.RECORDS[0]))
        self.record["results"]["parameter_count"] = 99
        self.assertIn("python3 code/part-iii/lesson_6_1.py 重写 data/lesson-6-1/run.json", self.report()[-1])

    def test_inputs(self) -> None:
        """A list that is empty, of other things, of other files, too short or too long, in both files alike."""
        right = self.record["inputs"]
        lesson = loaded(FILES[1][0])["inputs"]
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
            f"11.2 节，Softmax 算式，分母第一项的指数（{LOGIT}）：印的 0.375，记录 1/2，推导 3/8：不再成立",
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
        self.assertEqual(report[5:], [self.place, f"{LOGIT}：应为 3/8，实为 1/2",
                                      "下一步：python3 code/part-iii/run.py 重写 run.json，再核对"])
        self.assertNotIn("走样", "".join(report))
        self.expected = self.record
        report = self.report()
        self.assertIn("：数据改过，记录和期望都是按旧数据算的；", report[0])
        self.assertEqual(report[5:], [f"期望的 {self.place}", self.place,
                                      "下一步：python3 code/part-iii/run.py 重写 run.json，再核对"])
        self.record = with_value(self.record, "/inputs/0/path", "x")
        self.assertIn("：记录的名称、输入或顶层字段不对；", self.report()[0])

    def test_digest_elsewhere(self) -> None:
        """Only the digest of an input speaks of other data."""
        self.record = with_value(self.record, "/results/order/0/tokens/0", OTHER)
        self.assertIn("：记录与期望不同；", self.report()[0])
        self.record["record"] = OTHER
        self.assertIn("：记录的名称、输入或顶层字段不对；", self.report()[0])


class Ledger(Compared):
    """What a reader of the text concludes, beside what record and expectation have."""

    def setUp(self) -> None:
        """Take the lesson's files; its ledger has verdicts and tells by which data."""
        super().setUp()
        self.record, self.expected, self.printed = map(loaded, FILES[1])
        self.place = "/results/claims/smooth-decay"

    def test_same_data(self) -> None:
        """Record and expectation that agree with each other, and not with the ledger, are a fault of its own kind."""
        self.both(self.place, "fails")
        first, line, last = self.report()
        self.assertIn("：记录的判定与 ", first)
        self.assertIn(" 写的不同；", first)
        self.assertEqual(line, f"{self.place}（输出之后）：记录判为 不成立，verdict 写的是 成立")
        self.assertEqual(last, "下一步：python3 code/part-iii/lesson_6_1.py 重写 data/lesson-6-1/run.json；"
                               "仍不同，就查判定的函数与 verdict 哪个不对")
        self.expected = with_value(self.expected, self.place, "holds")
        first, line, last = self.report()
        self.assertIn("：记录与期望不同；", first)
        self.assertEqual(line, f"{self.place}（输出之后）：应为 成立，实为 不成立")
        self.both(self.place, "fails")
        for claim in self.printed["claims"]:
            del claim["verdict"]
        self.assert_agrees()  # a ledger without verdicts has no opinion

    def test_other_data(self) -> None:
        """Where the data were changed nobody is blamed: it is said what does not hold, or has no case, any more."""
        self.printed = with_value(self.printed, "/inputs/0/sha256", OTHER)
        right = self.record["inputs"][0]["sha256"]
        first, line, last = self.report()
        self.assertIn("：数据改过，所印的都还成立；", first)
        self.assertTrue(line.endswith(f' 的 /inputs/0/sha256：应为 "{right}"，实为 "{OTHER}"'), line)
        self.assertRegex(last, "^下一步：把 .* 的 inputs 改成新的 sha256$")
        self.both(self.place, "depends")
        self.assertIn("：数据改过，记录与期望一致，谁也没错；", self.report()[0])
        self.both("/results/claims/loss-is-ln-2", "outside")
        self.both("/results/hidden_norms/4/norm", "0.0030")
        report = self.report()
        self.assertIn("：数据改过，记录与期望一致，谁也没错；", report[0])
        self.assertEqual(sorted(report[1:-2]), sorted([
            *(f"{place}（/results/hidden_norms/4/norm）：印的 0.0029，记录 0.0030，推导 0.0030：不再成立"
              for place in ("实跑输出，第 5 步，隐状态范数", "输出之后，第 5 步的范数")),
            "/results/claims/loss-is-ln-2（第五节）：这份数据里没有这样的情形",
            f"{self.place}（输出之后）：原为 成立，这份数据上 视条件而定"]))
        self.assertRegex(report[-1], "^下一步：要么改回数据，要么改课文，然后改 .* 的 verdict 与 inputs$")

    def test_inputs_of_another_text(self) -> None:
        """What the ledger was judged by must be the record's inputs."""
        self.printed = with_value(self.printed, "/inputs/0/path", "x")
        self.assert_refused(2, "/inputs：应与记录的 inputs 相同，或只有 sha256 不同")


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
        self.assertTrue(report[2].startswith("  例 11.1，程序的记录走样："))
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
        figure.update(printed="0.5", disputed="c", by="0")
        (fault,) = comparing.figures({"figures": [figure]}, run, run, False)
        self.assertEqual(fault[:2], ("表 1，标为有争议（c），其实相符", "甲，乙 0.5 → 1/2"))


class Author(Compared):
    """What the texts should correct."""

    def errata(self, pointers: bool = False) -> list[str]:
        """Return the letter on the three files."""
        run, printed = (reading.parse(json.dumps(value), "x") for value in (self.record, self.printed))
        return list(errata.errata(run, printed, known.RECORDS[0], pointers))

    def test_letter(self) -> None:
        """What matters stands first, then what is small, each in the order of the text; nothing twice."""
        why = {"instead": "戊。", "why": "因为 {/results/y/t}。", "number": "数 {/results/x/0}", "repeat": "do this"}
        self.printed.update(title="某书", places=["开头", "表 1", "表 2"])
        self.printed["figures"] = [
            {"place": "表 2，甲", "printed": "0.5", "field": "/results/x/0", "disputed": "b", "by": "1"},
            {"place": "表 1，丙", "printed": "0.5", "field": "/results/x/1"},
            {"place": "开头，丁", "printed": "0.75", "field": "/results/x/1", "by": "1/4", "weight": "small",
             "quote": "四分之三", **why},
            {"place": "表 1，丁", "printed": "0.25", "field": "/results/x/1"}]
        self.printed["claims"] = [
            {"id": "a", "place": "表 2、表 1", "claim": "甲。", "evidence": ["/results/x"], "weight": "small",
             "quote": "甲", **why, "repeat": "python3 x/oracles/y.py"},
            {"id": "b", "place": "表 2", "claim": "乙。", "evidence": ["/results/y"], "weight": "grave", "quote": "乙",
             "condition": "己", **why},
            {"id": "c", "place": "表 1", "claim": "丙。", "evidence": [], "weight": "grave", "quote": "丙", **why},
            {"id": "d", "place": "开头", "claim": "丁。", "evidence": []}]
        self.record["results"] = {"x": ["1/3", "1/2"], "y": {"t": 1}, "claims": {"a": "fails", "b": "depends",
                                                                               "c": "holds", "d": "outside"}}
        corrected = ["   改为：戊。", "   因为：因为 1。", "   算出：数 1/3", "   重做：do this"]
        letter = ["某书：4 处建议改", "", "要紧的（1 处）", "", "1. 表 2，查“乙”", "   视条件而定：乙。", "   条件：己",
                  *corrected, "", "小处（2 处）", "", "1. 开头，丁，查“四分之三”", "   印的是 0.75", *corrected,
                  "", "2. 表 2、表 1，查“甲”", "   不成立：甲。", *corrected[:3],
                  "   重做：python3 x/oracles/y.py（开发用的，要 NumPy）",
                  "", "怎样改还没有写（1 处）", "", "1. 表 1，丁", "   印的是 0.25"]
        self.assertEqual(self.errata(), letter)
        fields = [("   算出", "   /results/y {t 1}"), ("1. 开头", "   /results/x/1 1/2"),
                  ("2. 表 2", "   /results/x [1/3, 1/2]"), ("1. 表 1", "   /results/x/1 1/2")]
        self.assertEqual([line for line in self.errata(True) if line not in letter], [line for _, line in fields])
        del self.printed["places"], self.printed["title"]
        places = [line for line in self.errata() if re.match("[0-9]", line)]
        self.assertEqual(places, [
            "1. 表 2，查“乙”", "1. 表 2、表 1，查“甲”", "2. 开头，丁，查“四分之三”", "1. 表 1，丁"])
        self.assertEqual(self.errata()[0], "data/part-iii/printed-v1.json：4 处建议改")

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
        for lines, message in (
                (([run], [run, expected, printed, run], ["-x"], ["--all", "--errata", "-x"], ["--all", "--all"],
                  ["--al"], ["-"], ["--errata", run, expected, printed], ["--all", run]),
                 "不写参数，或写两至三个文件：运行记录 期望 [所印数值]；选项只有 --all 和 --errata"),
                ((["", ""], [run, ""], [run, expected, ""]),
                 "有一个文件名是空的；应写两至三个文件：运行记录 期望 [所印数值]")):
            for arguments in lines:
                with self.assertRaisesRegex(Refused, f"^命令行：{re.escape(message)}$"):
                    check.main(arguments)

    def test_everything(self) -> None:
        """Without files every record of the table is checked, with files they alone; --all changes neither."""
        reports = [check.check(files, row)[0] for files, row in zip(FILES, known.RECORDS)]
        for option in ([], ["--all"]):
            self.assertEqual(self.output(*option), (0, "\n".join([*reports, COUNTED, ""])))
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
                self.assertEqual((code, output.count("全部一致"), output.count("处不同")), (1, 2, 1))  # the counts, too
                for whole, shown in ((False, output), (True, self.output("--all")[1])):
                    report = check.check(FILES[wrong], whole=whole)
                    self.assertEqual((len(report) == 14, report[-2] == "加 --all 逐处列出"), (whole, not whole))
                    self.assertIn("".join("".join(report).split()), "".join(shown.split()))
                    sentences = [line for line in shown.split("\n") if not re.match(" *[/{]|.*：如 ", line)]
                    self.assertEqual([line for line in sentences if columns(line) > 80], [])
                code, output = self.output("--errata")
                self.assertEqual((code, output.count("处不同"), output.count("全部一致")), (1, 1, 0))
                self.assertNotIn("下一步", output)
                claim = loaded(FILES[wrong][2])["claims"][0]  # the record's verdict counts, not the expectation's
                self.assertIn(f"视条件而定：{claim['claim']}".replace(" ", ""), "".join(output.split()))
                self.assertIn(f"\n{known.RECORDS[wrong].run}：", output)

    def test_errata(self) -> None:
        """One letter for each text; every line fits a terminal, but for fields; a row without a ledger has none."""
        code, output = self.output("--errata")
        self.assertEqual(code, 0)
        self.assertEqual([line for line in output.split("\n") if columns(line) > 80], [])
        book, lesson = output.split(f"{loaded(FILES[1][2])['title']}：")
        self.assertEqual(book.split("\n")[4:6], ["1. 例 13.2、解答 5，查“47988461912”",
                                                 "   不成立：总损失的十六位小数是 1.2447947988461912。"])
        self.assertIn("   算出：正确舍入到十六位 1.2447947988461911\n", book)
        graves, smalls = lesson.split("小处（")
        for letters, weight in ((graves, "grave"), (smalls, "small")):
            quotes = re.findall("查“(.*?)”", letters)
            entries = [each for kind in ("figures", "claims") for each in loaded(FILES[1][2])[kind]
                       if each.get("weight") == weight]
            self.assertEqual(sorted(quotes), sorted(each["quote"] for each in entries))
            heads = [comparing.head(each["place"]) for quote in quotes for each in entries if each["quote"] == quote]
            self.assertEqual(heads, sorted(heads, key=LESSON.index))
        for word in ("{", "/results", "没有这个字段", "怎样改还没有写"):
            self.assertNotIn(word, output)
        self.assertIn("   /results/diagnosis/mean_factor 0.2493\n", self.output("--errata", "--all")[1])
        row = known.RECORDS[0]._replace(printed=None)
        with mock.patch.object(check, "RECORDS", [row]):
            self.assertEqual(self.output("--errata"), (0, ""))
            fields = reading.count(loaded(FILES[0][1])) - 1  # the record's name is none
            self.assertEqual(self.output()[1], f"run.json：{fields} 个字段；全部一致\n{COUNTED}\n")
        with tempfile.TemporaryDirectory() as folder:
            large = os.path.join(folder, "run.json")
            Path(large).write_text(json.dumps(loaded(FILES[1][0])) + "\n" * (1 << 20), encoding="utf-8")
            with mock.patch.object(check, "files_of", lambda row: [large, large, FILES[1][2]]), \
                    mock.patch.object(check, "RECORDS", known.RECORDS[1:]):
                self.assertIn(self.output("--errata")[1], output)


class Counts(unittest.TestCase):
    """The counts over seeds, which have no expectation."""

    def test_report(self) -> None:
        """A name, draws, a sum or a training that is not as it must be is a line; then NumPy must count again."""
        whole = loaded(counts.COUNTS)
        digest = whole["inputs"][0]["sha256"]
        row, measure = "/results/trainings/gd_0.3_800", "/results/measures/derivative_takes_half"
        rising = "/results：at_entropy 至多是 stands，least、median、most 应从小到大"
        for pointer, value, line in (
                ("/record", "x", '/record：应为 "lesson-6-1-seeds-v1"，实为 "x"'),
                ("/inputs/0/sha256", OTHER, f'/inputs/0/sha256：应为 "{digest}"，实为 "{OTHER}"'),
                ("/inputs", [], "/inputs/0：应为 对象（2 个字段），实为 没有这个字段"),
                (f"{row}/learned", 2, f"{row}：学会、没学会、说不准合起来应为 20，实为 21"),
                ("/results/plateau/stands", 21, "/results/plateau/stands：应为 0 至 20 的整数，实为 21"),
                ("/results/plateau/stands", 18, rising), ("/results/rounds_to_learn/least", 9999, rising),
                (measure, 9999, f"{measure}：应为 0 至 20 的整数，实为 9999"),
                (measure, "20", f'{measure}：应为整数，实为 "20"'), (measure, -1, f"{measure}：应为整数，实为 -1"),
                (measure, [1, 2], "/results：应有 46 个数，实有 47 个")):
            spoilt = reading.parse(json.dumps(with_value(whole, pointer, value)), "x")
            with mock.patch.object(counts, "read", return_value=spoilt):
                report = counts.report()
            self.assertEqual(report[:2], [f"{counts.COUNTS}：计数不能用，1 处不对", line])
            self.assertIn("oracles/seeds.py --write", report[2])
        with mock.patch.object(counts, "read", return_value=reading.parse(json.dumps({**whole, "results": []}), "x")):
            self.assertIn("/results：应有 46 个数，实有 1 个", counts.report())
        for option, shown in (([], 3), (["--errata"], 1)):
            with mock.patch.object(counts, "report", return_value=["红", "蓝", "绿"]), \
                    contextlib.redirect_stdout(io.StringIO()) as output:
                self.assertEqual(check.main(list(option)), 1)
            self.assertEqual([word in output.getvalue().split("\n") for word in "红蓝绿"].count(True), shown)


COUNTED = f"{counts.COUNTS}：11 组计数；全部一致"
# The lesson from its first line to its last.
LESSON = ["开头", "第一节", "第二节", "第三节", "第四节", "第五节的标题", "第五节", "第七节", "程序清单",
          "程序清单的注释", "第七节的清单", "实跑输出的标题", "实跑输出", "输出之后", "30 秒实验",
          "30 秒实验第 1 题", "30 秒实验第 2 题", "30 秒实验第 3 题", "常见误区", "自测第 2 问", "自测第 3 问", "结尾"]
