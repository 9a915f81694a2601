"""The checker: what a record must name, what the report says and advises, and the command line."""
from __future__ import annotations

import contextlib
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
from checking import comparing, errata, known, reading
from support import command
from support.command import ROOT, Refused, located
from support.show import columns
from tests.checked import AGAIN, FILES, LOGIT, OTHER, Compared, table
from tests.shared import loaded, pointers, with_value

BOOK, LESSON, SEEDS = known.RECORDS


class Known(Compared):
    """What a record must name is known to the checker."""

    def test_name(self) -> None:
        """A name that is wrong or missing is refused, in the record, in the expectation, in both alike."""
        strange: list[Any] = ["lesson-6-1-seeds-v1", "", 1, None, [], {}]
        for name in strange:
            shown = reading.written(reading.Literal(1) if name == 1 else name)
            for pair, which in (((name, "part-iii-run-v1"), 0), (("part-iii-run-v1", name), 1), ((name, name), 0)):
                self.record["record"], self.expected["record"] = pair
                self.assert_refused(which, f'/record：应为 "part-iii-run-v1"，实为 {shown}')

    def test_the_expectation_decides(self) -> None:
        """Explicit files of the lesson are held to the lesson's inputs; a row of the table goes before a name."""
        self.record, self.expected, self.printed = map(loaded, FILES[1])
        self.assert_agrees()
        with self.assertRaisesRegex(Refused, '/record：应为 "part-iii-run-v1"，实为 "lesson-6-1-run-v1"$'):
            self.report(row=BOOK)
        self.record["results"]["parameter_count"] = 99
        self.assert_says("记录与期望不同", AGAIN.replace("run.json", LESSON.run).replace("run.py", "lesson_6_1.py"))
        self.expected = loaded(FILES[0][1])
        self.assert_refused(0, '/record：应为 "part-iii-run-v1"，实为 "lesson-6-1-run-v1"')

    def test_inputs(self) -> None:
        """A list that is empty, of other things, of other files, too short or too long, is refused in either file."""
        right, ledger = self.record["inputs"], self.printed["inputs"]
        first, second = right
        cases: list[tuple[Any, str]] = [
            ([], "/0"), (["x"], "/0"), ([{}] * 2, "/0/path"), (loaded(FILES[1][0])["inputs"], "/0/path"),
            (right[::-1], "/0/path"), (right[:1], "/1"), ([*right, first], "/2"), ({}, ""), ("x", ""), (None, ""),
            ([first, {**second, "field": "x"}], "/1/field"), ([first, {**second, "more": 1}], "/1/more"),
            ([{**first, "field": "rnn"}, second], "/0/field"),
            ([{**first, "path": "../" + first["path"]}, second], "/0/path")]
        cases += [([{**first, "sha256": digest}, second], "/0/sha256")
                  for digest in ("x", 1, first["sha256"].upper(), first["sha256"] + "0", int("1" * 64))]
        for inputs, place in cases:
            for which, each in enumerate((self.record, self.expected, self.printed)):
                each["inputs"] = inputs
                with self.assertRaises(Refused) as caught:
                    self.report()
                self.assertTrue(str(caught.exception).startswith(
                    f"{command.shown(self.paths[which])}：/inputs{place}：应为"), caught.exception)
                each["inputs"] = (right, right, ledger)[which]

    def test_opens_nothing_else(self) -> None:
        """Only files of the table are opened, whatever path a record names."""
        mine = {*self.paths[:2], *(located(one["path"]) for one in BOOK.inputs)}
        for path in ("/etc/hostname", "../x", "data/part-iii/printed-v1.json", "\0", "a\\b", "data//part-ii", 1, None):
            self.both("/inputs/1/path", path)
            with mock.patch.object(command, "read_bytes", wraps=command.read_bytes) as read, \
                    self.assertRaisesRegex(Refused, "/inputs/1/path："):
                self.report(files=2)
            self.assertLessEqual({call.args[0] for call in read.call_args_list}, mine)


class Stale(Compared):
    """The data changed after the expectation was derived, or after the record was made."""

    def setUp(self) -> None:
        """Take one figure of the ledger, and have the line on other data."""
        super().setUp()
        self.figure()
        right = self.record["inputs"][0]["sha256"]
        self.place = f'/inputs/0/sha256：应为 "{right}"，实为 "{OTHER}"'

    def test_expectation(self) -> None:
        """Nobody is blamed, what the text would lose comes first, and only then the command that derives anew."""
        self.expected = with_value(self.expected, "/inputs/0/sha256", OTHER)
        self.assertEqual(self.lines(), [f"期望的 {self.place}"])
        self.assert_says("数据改过，期望还是按旧数据推导的，谁也没错",
                         "所印的都还成立：python3 code/part-iii/derive.py 重写 expected.json")
        self.record = with_value(self.record, LOGIT, "1/2")
        self.record = with_value(self.record, "/results/claims/short-inputs", "depends")
        lines = self.lines()
        self.assertEqual(lines[0], f"表 11.3：第 3 行，Logits，红色 0.375 → 0.5（{LOGIT}）")
        self.assertRegex(lines[1], "^原为 成立，现为 视条件而定：“.*”（11.3 节）（/results/claims/short-inputs）$")
        self.assertEqual(lines[2:], [f"期望的 {self.place}", f'{LOGIT}：原为 "3/8"，现为 "1/2"'])
        last = self.report()[-1]
        self.assertEqual(last, "下一步：先看上面课文会失去什么：要么改回数据，要么改课文，"
                               "然后才 python3 code/part-iii/derive.py")
        for pointer, value in ((LOGIT, "3/8"), ("/results/claims/short-inputs", "holds")):  # one of the two is a loss
            self.assertEqual(check.check(self.written())[-1], last)
            self.record = with_value(self.record, pointer, value)
        self.assertNotEqual(self.report()[-1], last)

    def test_record(self) -> None:
        """The record of other data is made anew, whether or not the expectation is of the same age."""
        self.record = with_value(with_value(self.record, "/inputs/0/sha256", OTHER), LOGIT, "1/2")
        what, again = "数据改过，记录还是按旧数据算的", "下一步：python3 code/part-iii/run.py 重写 run.json，再核对"
        self.assert_says(what, again)
        self.assertEqual(self.lines()[1:], [self.place, f'{LOGIT}：应为 "3/8"，实为 "1/2"'])
        self.assertNotIn("走样", "".join(self.report()))
        self.expected = self.record
        self.assert_says(what, again)
        self.assertEqual(self.lines()[1:], [self.place, f"期望的 {self.place}"])

    def test_digest_elsewhere(self) -> None:
        """Only the digest of an input speaks of other data."""
        self.record = with_value(self.record, "/results/order/0/tokens/0", OTHER)
        self.assert_says("记录与期望不同", AGAIN)


class Ledger(Compared):
    """What a reader of the text concludes, beside what record and expectation have."""

    def setUp(self) -> None:
        """Take the lesson's files."""
        super().setUp()
        self.record, self.expected, self.printed = map(loaded, FILES[1])
        self.place, self.file = "/results/claims/smooth-decay", command.shown(self.paths[2])
        (claim,) = [claim for claim in self.printed["claims"] if claim["id"] == "smooth-decay"]
        self.short = f"“{claim['claim'].rstrip('。')}”（{claim['place']}）（{self.place}）"

    def test_same_data(self) -> None:
        """Record and expectation that agree with each other, and not with the ledger, are a fault of its own kind."""
        self.both(self.place, "fails")
        self.assertEqual(self.lines(), [f"应为 成立，实为 不成立：{self.short}"])
        self.assert_says(f"记录的判定与 {self.file} 写的不同", "python3 code/part-iii/lesson_6_1.py 重写 "
                         "data/lesson-6-1/run.json；仍不同，就查判定的函数与 verdict 哪个不对")
        self.expected = with_value(self.expected, self.place, "holds")
        self.assert_says("记录与期望不同")

    def test_other_data(self) -> None:
        """Where the data were changed nobody is blamed: it is said what does not hold, or has no case, any more."""
        self.printed = with_value(self.printed, "/inputs/0/sha256", OTHER)
        right = self.record["inputs"][0]["sha256"]
        digest = f'{self.file} 的 /inputs/0/sha256：应为 "{right}"，实为 "{OTHER}"'
        self.assertEqual(self.lines(), [digest])
        self.assert_says("数据改过，所印的都还成立", f"下一步：把 {self.file} 的 inputs 改成新的 sha256")
        self.both(self.place, "depends")
        self.both("/results/claims/loss-is-ln-2", "outside")
        self.both("/results/hidden_norms/4/norm", "0.0030")
        self.assert_says("数据改过，记录与期望一致，谁也没错",
                         f"下一步：要么改回数据，要么改课文，然后改 {self.file} 的 verdict 与 inputs")
        norm = "0.0029 → 0.0030（/results/hidden_norms/4/norm）"
        report = self.lines()
        self.assertEqual(report[:2], [f"实跑输出：第 5 步，隐状态范数 {norm}", f"输出之后：第 5 步的范数 {norm}"])
        self.assertEqual(sorted(report[2:]), sorted([
            "原为 不成立，现为 这份数据里没有这样的情形：“0.6909 来自完全瞎猜的 ln 2（约 0.6931）…”（第五节）"
            "（/results/claims/loss-is-ln-2）", f"原为 成立，现为 视条件而定：{self.short}", digest]))


class Report(Compared):
    """A decision, not a list."""

    def spoil(self) -> None:
        """Let the record halve no longer: many figures, verdicts and fields change."""
        for place in pointers(self.record["results"]["example_11_1"]):
            self.record = with_value(self.record, "/results/example_11_1" + place, "7")
        self.record = with_value(self.record, "/results/order/0/state/0", "7")
        for name in ("short-inputs", "blues-pile-up"):
            self.record = with_value(self.record, f"/results/claims/{name}", "fails")

    def test_decision(self) -> None:
        """Figures by table come first, then verdicts by their sentences, then other fields with the first example."""
        self.spoil()
        report, everything = self.report(), self.lines()
        figures = [line for line in everything if "走样：" in line]
        fields = len(everything) - len(figures) - 2
        titles = [line for line in report if not line.startswith(" ")]
        self.assertEqual(titles, [report[0], f"不成立的所印数值（{len(figures)} 处）", "判定（2 处）",
                                  f"字段（{fields} 处）", "加 --all 逐处列出", AGAIN])
        self.assertTrue(report[2].startswith(f"  {everything[0].partition('：')[0]}："))
        self.assertTrue(report[3].startswith("    ") and report[3][4] != " ")
        text = "".join("".join(report).split())  # where a line is broken is not this test's matter
        parts = [text.index(title) for title in ("不成立的所印数值", "判定（", "字段（", "加--all")]
        for figure in figures:
            group, _, rest = figure.rpartition("（")[0].partition("：")
            self.assertIn(rest.replace(" ", ""), text[text.index(f"{group}：".replace(" ", "")): parts[1]])
        turned = "；".join(f"“{claim['claim'].rstrip('。')}”（{claim['place']}）" for claim in self.printed["claims"]
                          if claim["id"] in ("short-inputs", "blues-pile-up"))
        self.assertEqual(text[parts[1]: parts[2]], f"判定（2处）应为成立，实为不成立：{turned}".replace(" ", ""))
        self.assertEqual(report[-4:-2], [f"  /results/example_11_1/0/t：应为 1，实为 \"7\"，等 {fields - 1} 处",
                                         '  /results/order/0/state/0：应为 "1/4"，实为 "7"'])

    def test_long(self) -> None:
        """A part of more than fifty lines is cut, and says by how much; --all has every line."""
        for size, lines in ((50, 50), (51, 51), (60, 51)):
            self.record = with_value(self.expected, "/results", {
                **self.expected["results"], **{f"x{i}": 1 for i in range(size)}})
            report = self.report(files=2)[2:-2]
            self.assertEqual((len(report), len(self.lines(2))), (lines, size))
            self.assertEqual(report[50:], [f"  ……还有 {size - 50} 行"] * (size > 50))

    def test_line_lengths(self) -> None:
        """Whatever stands in the files, no line has a line break, and what is no field fits a terminal."""
        self.spoil()
        self.record["results"]["claims"]["x\n" * 99] = "y" * 1000
        self.record["results"]["order"][0]["state"][0] = "9" * 100000
        self.record["results"]["k" * 200] = {"l" * 50: [1]}
        self.printed["figures"][0]["place"] = "表" * 1000
        self.printed["claims"][0]["claim"] = "a\u2028" * 400
        for option in ([], ["--all"]):
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                self.assertEqual(check.main([*option, *self.written()]), 1)
            lines = output.getvalue().split("\n")
            self.assertLess(max(map(len, lines)), 1500)
            self.assertFalse(any("\u2028" in line for line in lines))

    def test_many_fields(self) -> None:
        """Every field and every verdict that differs is counted, however many there are."""
        self.record = with_value(self.expected, "/results", {**self.expected["results"], "x": [0] * 20_000})
        self.assertIn("，20001 处", self.report(files=2)[0])
        self.record = self.expected
        self.both("/results/claims", {**self.record["results"]["claims"], **{str(i): "holds" for i in range(20_000)}})
        self.assertIn("，20000 处", self.report()[0])

    def test_in_print(self) -> None:
        """A collapsed figure has what is printed and what it would be, in the words of a text."""
        for value, shown in ((True, "正确"), (False, "错误"), ("blue", "blue"), ("1/3", "1/3"), (None, "null"),
                             (reading.Literal("3"), "3"), ("7" * 24, "7" * 24), ("7" * 25, "7" * 23 + "…")):
            self.assertEqual(comparing.in_print(value), shown)
        in_a = {"place": "表 13.1，红色（以 a 为单位）", "printed": "2/3"}
        for value, figure, shown in (("-1/2", in_a, "-a/2"), ("1", in_a, "a"), ("1/3", {**in_a, "place": "表"}, "1/3"),
                                     ("1/8", {"place": "表", "printed": "0.5"}, "0.125"),
                                     ("0.0030", {"place": "表", "printed": "0.0029"}, "0.0030")):
            self.assertEqual(comparing.in_print(value, figure), shown)


class Author(Compared):
    """What the texts should correct."""

    def errata(self, pointers: bool = False) -> list[str]:
        """Return the letter on the three files."""
        return list(errata.errata(table(self.record), table(self.printed), pointers))

    def test_letter(self) -> None:
        """What matters stands first, then what is small, each in the order of the text; nothing twice."""
        why = {"instead": "戊。", "why": "因为 {/results/y/t}。", "number": "数 {/results/x/0}", "repeat": "do this"}
        self.printed.update(title="某书", about="据某版。", places=["开头", "表 1", "表 2"])
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
        letter = ["某书：4 处建议改", "据某版。", "", "要紧的（1 处）", "", "1. 表 2，搜“乙”", "   视条件而定：乙。",
                  "   条件：己", *corrected, "", "小处（2 处）", "", "1. 开头，丁，搜“四分之三”", "   印的是 0.75",
                  *corrected,
                  "", "2. 表 2、表 1，搜“甲”", "   不成立：甲。", *corrected[:3],
                  "   重做：python3 x/oracles/y.py（开发用的，要 NumPy）",
                  "", "怎样改还没有写（1 处）", "", "1. 表 1，丁", "   印的是 0.25", ""]
        self.assertEqual(self.errata(), letter)
        fields = ["   /results/y {t: 1}", "   /results/x/1 1/2", "   /results/x [1/3, 1/2]", "   /results/x/1 1/2"]
        self.assertEqual([line for line in self.errata(True) if line not in letter], fields)
        self.record["results"]["x"] += ["7" * 500]
        self.assertLess(max(map(len, self.errata(True))), 170)  # a long list is cut
        self.printed["figures"][2]["weight"] = "unknown"
        self.assertIn("怎样改还没有写（2 处）", self.errata())
        del self.printed["places"], self.printed["title"]
        places = [line for line in self.errata() if re.match("[0-9]", line)]
        self.assertEqual(places, [  # in the ledger's order
            "1. 表 2，搜“乙”", "1. 表 2、表 1，搜“甲”", "1. 开头，丁，搜“四分之三”", "2. 表 1，丁"])
        self.assertEqual(self.errata()[0], "课文：4 处建议改")
        self.record["inputs"][0]["sha256"] = OTHER  # nobody's text is blamed for other data
        self.assertEqual(self.errata(), ["课文：数据改过，不是课文用的那些，没有信；先改回数据", ""])


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
        run, expected, printed, *_ = FILES[0]
        for arguments in ([run], [run, expected, printed, run], ["-x"], ["--all", "--errata", "-x"], ["--all", "--all"],
                          ["--al"], ["-"], ["--errata", run, expected, printed], ["--all", run], ["", ""],
                          [run, expected, ""]):
            with self.assertRaisesRegex(Refused, "^命令行：不写参数，或写两至三个文件：运行记录 期望"):
                check.main(arguments)

    def test_next_command(self) -> None:
        """Where a record or an expectation is missing, broken or another's, the program that writes it is named."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(command, "ROOT", folder), \
                mock.patch.object(known, "located", lambda path: located(path, folder)):
            for name in {path for row in known.RECORDS for path in (
                    row.run, row.expected, row.printed, *(each["path"] for each in row.inputs)) if path}:
                Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                Path(folder, name).write_bytes(Path(located(name, ROOT)).read_bytes())
            self.assertEqual(self.output()[0], 0)
            files = [(name, writer) for row in known.RECORDS for name, writer in (
                (row.run, row.program), (row.expected, row.derivation), (row.printed, "")) if name]
            for name, writer in files:
                if writer:
                    self.assertTrue(os.path.isfile(located(writer.split()[1], ROOT)), writer)
                path = Path(folder, name)
                before = path.read_bytes()
                for content, reason in ((b"", "找不到"), (b"{", "不是合法的 JSON"), (b"{}", "没有这个字段")):
                    path.write_bytes(content)
                    if not content:
                        path.unlink()
                    with self.assertRaisesRegex(Refused, f"^{name}：.*{reason}") as caught:
                        self.output()
                    self.assertEqual(str(caught.exception).partition("；先运行 ")[2], writer)
                path.write_bytes(before)

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
        for wrong, claims in enumerate(("/results/chapter_11/claims", "/results/claims")):
            def read(path: str, *most: int, wrong: int = wrong, claims: str = claims) -> Any:
                found = right(path, *most)
                if path == FILES[wrong][0]:
                    found[next(place for place in found if place.startswith(f"{claims}/"))] = "depends"
                    found.update({f"/results/{name}": name for name in "abcdefghijk"})
                return found

            with mock.patch.object(check, "read", read):
                code, output = self.output()
                self.assertEqual((code, output.count("全部一致"), output.count("处不同")), (1, 2, 1))
                for whole, shown in ((False, output), (True, self.output("--all")[1])):
                    report = check.check(FILES[wrong], whole=whole)
                    self.assertEqual((len(report) == 14, report[-2] == "加 --all 逐处列出"), (whole, not whole))
                    self.assertIn("".join("".join(report).split()), "".join(shown.split()))
                    sentences = [line for line in shown.split("\n") if "/results/" not in line]
                    self.assertEqual([line for line in sentences if columns(line) > 80], [])
                code, output = self.output("--errata")
                self.assertEqual((code, output.count("处不同"), output.count("全部一致")), (1, 1, 0))
                self.assertEqual([word for word in ("下一步", "判定（", "（/results/") if word in output], [])
                claim = loaded(FILES[wrong][2])["claims"][0]  # the record's verdict counts, not the expectation's
                self.assertIn(f"视条件而定：{claim['claim']}".replace(" ", ""), "".join(output.split()))
                self.assertIn(f"\n{known.RECORDS[wrong].run}：", output)

    def test_errata(self) -> None:
        """One letter for each text; every line fits a terminal, but for fields; each erratum is whole."""
        code, output = self.output("--errata")
        self.assertEqual(code, 0)
        self.assertEqual([line for line in output.split("\n") if columns(line) > 80], [])
        book, lesson = output.split(f"{loaded(FILES[1][2])['title']}：")
        self.assertRegex(book, r"\n[0-9]+\. 例 13.2、解答 5，搜“47988461912”\n"
                               r"   不成立：总损失的十六位小数是 1.2447947988461912。\n")
        self.assertIn("   算出：正确舍入到十六位 1.2447947988461911\n", book)
        graves, smalls = lesson.split("小处（")
        for letters, weight in ((graves, "grave"), (smalls, "small")):
            quotes = re.findall("搜“(.*?)”", letters)
            entries = [each for kind in ("figures", "claims") for each in loaded(FILES[1][2])[kind]
                       if each.get("weight") == weight]
            self.assertEqual(sorted(quotes), sorted(each["quote"] for each in entries))
            heads = [comparing.head(each["place"]) for quote in quotes for each in entries if each["quote"] == quote]
            self.assertEqual(heads, sorted(heads, key=loaded(FILES[1][2])["places"].index))
        for title in ("改为", "因为", "算出", "重做"):
            self.assertEqual(output.count(f"   {title}："), output.count("，搜“"), title)
        for word in ("{", "/results", "没有这个字段", "怎样改还没有写"):
            self.assertNotIn(word, output)
        self.assertIn("   /results/diagnosis/mean_factor 0.2493\n", self.output("--errata", "--all")[1])


class Counts(unittest.TestCase):
    """The counts over seeds, which have no expectation."""

    def test_report(self) -> None:
        """A name, draws or a count that is not as it must be is a line; then NumPy must count again."""
        whole = loaded(SEEDS.run)
        digest = whole["inputs"][0]["sha256"]
        training, measure = "/results/trainings/gd_0.3_800/learned", "/results/measures/derivative_takes_half"
        stands = "/results/plateau/stands"
        for pointer, value, what, line in (
                ("/inputs/0/sha256", OTHER, "数据改过，记录还是按旧数据算的",
                 f'/inputs/0/sha256：应为 "{digest}"，实为 "{OTHER}"'),
                (training, 21, "", f"{training}：应为 0 至 20 的整数，实为 21"),
                (stands, 21, "", f"{stands}：应为 0 至 20 的整数，实为 21"),
                (measure, 9999, "", f"{measure}：应为 0 至 20 的整数，实为 9999"),
                ("/results/seeds", 1_000_000, "", "/results/seeds：应为 0 至 999999 的整数，实为 1000000"),
                (measure, "20", "", f'{measure}：应为 0 至 20 的整数，实为 "20"'),
                (measure, -1, "", f"{measure}：应为 0 至 20 的整数，实为 -1"),
                (measure, 1.0, "", f"{measure}：应为 0 至 20 的整数，实为 1.0"),
                (measure, None, "", f"{measure}：应为 0 至 20 的整数，实为 null"),
                (measure, [], "", f"{measure}：应为 0 至 20 的整数，实为 列表（0 项）")):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "seeds.json")
                path.write_text(json.dumps(with_value(whole, pointer, value)), encoding="utf-8")
                first, *lines, last = check.check([str(path)], SEEDS, True)
            self.assertIn(f"：{what or '计数不能用'}；比较了 {len(pointers(whole))} 个字段，1 处不同", first)
            self.assertEqual(lines, [line])
            self.assertIn("oracles/seeds.py --write（开发用的，要 NumPy） 重写 data/lesson-6-1/seeds.json", last)
        self.assertEqual(check.check(FILES[2], SEEDS), [f"{SEEDS.run}：{len(pointers(whole))} 个字段；全部一致"])
        strange: list[dict[str, Any]] = [{"seeds": "x"}, {"seeds": {}, "a": []}]
        for results in strange:  # without a number of seeds
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "seeds.json")
                path.write_text(json.dumps({**whole, "results": results}), encoding="utf-8")
                self.assertIn("：计数不能用；", check.check([str(path)], SEEDS)[0])
