"""What the checker finds: fields, printed figures and claims that do not agree, each at its place."""
from __future__ import annotations

import copy
import json
import unittest
from typing import Any

import check
from checking import comparing, known, reading
from checking.reading import MISSING, Literal
from support import command
from support.record import VERDICTS
from tests.checked import AGAIN, CHAPTER, FILES, LOGIT, Compared, table
from tests.shared import loaded, pointers, with_value

TABLE = "表 11.3，{}：第 3 行，Logits，红色 {}" + f"（{LOGIT}）"


class Fields(Compared):
    """Record against expectation."""

    def test_every_leaf(self) -> None:
        """Every leaf of every record, spoiled by its own pointer, is reported there, with that and what was wanted."""
        for run_file, expected_file, *_ in FILES[:2]:
            run, expected = reading.read(run_file), reading.read(expected_file)
            self.assertEqual(list(comparing.differences(expected, run)), [])
            leaves = pointers(loaded(expected_file))
            self.assertGreater(len(leaves), 250)
            run.update(zip(leaves, leaves))
            self.assertEqual(list(comparing.differences(expected, run)),
                             [(pointer, expected[pointer], pointer) for pointer in leaves])

    def test_kinds_of_difference(self) -> None:
        """Text for a number, 1.0 or true for 1, a list for an object, a missing and a surplus field."""
        kinds: list[tuple[Any, Any]] = [
            ("1", Literal("1")), (Literal("1"), True), ({}, []), (None, False), (Literal("1"), Literal("1.0")),
            (Literal("1.50"), Literal("1.5")), ("a", "b"), ("", MISSING)]
        for want, have in (*kinds, *(kind[::-1] for kind in kinds)):
            self.assertEqual(list(comparing.differences({"/k": want}, {"/k": have})), [("/k", want, have)])
        one, other = table({"a/b": 1, "c": [1]}), table({"c": [1, 2], "d~": 0})
        self.assertEqual(list(comparing.differences(one, other)), [
            ("/a~1b", "1", MISSING), ("/c/1", MISSING, "2"), ("/d~0", MISSING, "0")])
        self.assertEqual(list(comparing.differences(one, table({"c": [1], "a/b": 1}))), [])

    def test_count(self) -> None:
        """The line on what agrees counts leaves, figures and claims; an empty list or object is one leaf."""
        for files, row in zip(FILES[:2], known.RECORDS):
            number, printed = f"{row.run}：{len(pointers(loaded(files[1])))} 个字段", loaded(files[2])
            self.assertEqual(check.check(files, row), [
                f"{number}、{len(printed['figures'])} 个印出的数值、{len(printed['claims'])} 条论断；全部一致"])
            self.assertEqual(check.check(files[:2], None), [f"{number}；全部一致"])
        self.both("/results", {"a": [], "b": {}, "c": [[], {"d": [1, "2"]}]})
        self.assertIn(f"：{len(pointers(self.record['inputs'])) + 6} 个字段；全部一致", self.report(files=2)[0])

    def test_one_wrong_value(self) -> None:
        """A single wrong value: what happened, its line as the file has it, the next command."""
        self.record = with_value(self.record, "/results/binary_float/choice", 0)
        count = (f"{len(pointers(self.expected))} 个字段、{len(self.printed['figures'])} 个印出的数值、"
                 f"{len(self.printed['claims'])} 条论断")
        self.assertEqual(self.report(), [
            f"{command.shown(self.paths[0])}：记录与期望不同；比较了 {count}，1 处不同", "字段（1 处）",
            '  /results/binary_float/choice：应为 "red"，实为 0', "加 --all 逐处列出", AGAIN])
        right = self.expected
        self.expected, self.record = (json.dumps(right).replace('"fewest_fillers": 1', f'"fewest_fillers": {text}')
                                      for text in ("1.5", "1.50"))
        self.assertEqual(self.lines(2), ["/results/exercise_1/fewest_fillers：应为 1.5，实为 1.50"])
        self.record, self.expected = with_value(right, "/results/order/1/state/0", 1), right
        self.assertEqual(self.lines(), ['/results/order/1/state/0：应为 "1"，实为 1'])

    def test_long_values(self) -> None:
        """A long value is cut; two that look alike are said to differ behind; a number is no text."""
        self.both("/results/order/0/state/0", "7" * 5000)
        self.record = with_value(self.record, "/results/order/0/state/0", "7" * 4999 + "8")
        shown = f'"{"7" * 79}…（共 5002 个字符）'
        self.assertEqual(self.lines(2), [f"/results/order/0/state/0：应为 {shown}，实为 {shown}，没有写出的字符不同"])
        for value, text in ((Literal("9" * 81), "9" * 79 + "…"), (Literal("9" * 80), "9" * 80), ("9", '"9"'),
                            (True, "true"), ("true", '"true"'), (None, "null"), ([1], "列表（1 项）"),
                            ({"a": 1}, "对象（1 个字段）"), (MISSING, "没有这个字段")):
            self.assertEqual(reading.written(value), text)

    def test_missing_and_surplus(self) -> None:
        """A field or member that is missing, and one too many, is a difference, beside the results as well."""
        del self.record["results"]["boundary"]["logits"]
        self.record["results"]["x"] = []
        self.record["note"] = 1
        self.assertEqual(self.lines(2), [
            "/results/boundary/logits：应为 列表（2 项），实为 没有这个字段",
            *(f'/results/boundary/logits/{i}：应为 "1/8"，实为 没有这个字段' for i in (0, 1)),
            "/results/x：应为 没有这个字段，实为 列表（0 项）", "/note：应为 没有这个字段，实为 1"])


class Printed(Compared):
    """Record and expectation against the figures and claims of the texts."""

    def test_each_figure_can_drift(self) -> None:
        """Each printed figure, changed in its last place, is the one line of the report, with its place in the book."""
        self.assertGreater(len(self.printed["figures"]), 100)
        run, expected = table(self.record), table(self.expected)
        for figure in self.printed["figures"]:
            text, at = figure["printed"], comparing.head(figure["place"])
            other = {"正确": "错误", "错误": "正确"}.get(text)
            other = other or (text[:-1] + str((int(text[-1]) + 1) % 10) if text[-1].isdigit() else text + "x")
            ((group, short, line),) = comparing.figure_faults(
                {"/figures": [dict(figure, printed=other)]}, run, expected, False)
            self.assertEqual(group, f"{at}，书中所印走样")
            self.assertTrue(short.startswith(f"{figure['place'][len(at) + 1:]} {other[:20]}"), short)
            self.assertEqual(line, f"{group}：{short}（{figure['field']}）")

    def test_who_drifted(self) -> None:
        """The report names the one of three that differs from the other two, and what stands there for what."""
        self.figure()
        right, derived = self.record, self.expected
        self.record = with_value(right, LOGIT, "1/2")
        self.assertEqual(self.lines()[0], TABLE.format("程序的记录走样", "0.375 → 0.5"))
        self.assertEqual(self.report()[-1], AGAIN)
        self.record, self.expected = right, with_value(derived, LOGIT, "1/2")
        self.assertEqual(self.lines()[0], TABLE.format("推导走样", "0.375 → 0.5"))
        self.figure(printed="0.4")
        self.record = with_value(right, LOGIT, "1/3")
        self.assertEqual(self.lines()[0], TABLE.format("三处各不相同", "0.4 → 1/3 / 0.5"))
        self.record, self.expected = (with_value(record, LOGIT, value)
                                      for record, value in ((right, 1), (derived, "1")))
        self.assertEqual(self.lines()[0], TABLE.format("三处各不相同", "0.4 → 1"))
        self.record = self.expected = right
        self.figure(printed="0.376")
        self.assertEqual(self.lines(), [TABLE.format("书中所印走样", "0.376 → 0.375")])
        ledger = command.shown(self.paths[2])
        self.assertEqual(self.report()[-1], f"下一步：改正课文或 {ledger}，再 python3 code/part-iii/check.py；"
                                            "课文该改的全部：python3 code/part-iii/check.py --errata")

    def test_forms_of_figures(self) -> None:
        """Fractions and integers exactly, decimals and powers of ten rounded half to even, names and truth values."""
        good = [("1/256", "1/256"), ("0.00390625", "1/256"), ("0.004", "1/256"), ("2", "2"), ("red", "red"),
                ("正确", True), ("错误", False), ("0.12", "1/8"), ("0.38", "3/8"), ("-0.375", "-3/8"),
                ("2.31e-07", "2.31e-07"), ("2.3e-7", "2.31e-07"), ("1/2", "2/4"), ("2", "4/2"), ("5", "5.0"),
                ("5e3", "5000"), ("1.2e+3", "1234"), ("1e-1", "1/10"), ("1/0", "1/0"), ("0.5", "1/02"),
                ("3", Literal("3")), ("0.3", "1/3"), ("0.33", "0.333"), ("1.0", "1"), ("12.5", "25/2"),
                ("1.0e999", "1e999"), ("1.0e-999", "1e-999")]
        bad = [("1/256", "1/257"), ("0.0039", "1/250"), ("2", "5/2"), ("正确", False), ("错误", None), ("red", "blue"),
               ("0.13", "1/8"), ("0.37", "3/8"), ("1", True), ("2.32e-07", "2.31e-07"), ("0", None), ("1/2", ["1/2"]),
               ("0.5", "red"), ("red", "0.5"), ("正确", "正确"), ("正确", 1), ("1", 1), ("1e3", "1001"),
               ("red", Literal("red")), ("3", Literal("3E0")), ("2", MISSING), ("1/2e0", "1/2"),
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
        self.figure(printed="0.3")
        self.both(LOGIT, "1" * 2000 + "/" + "3" * 2000)
        self.assert_agrees()
        self.both(LOGIT, "1" * 2000 + "/" + "3" * 1999)
        self.assertEqual(self.lines(), [TABLE.format("书中所印走样", "0.3 → ≈3.33333")])

    def test_field_that_is_not_there(self) -> None:
        """A figure whose pointer leads nowhere in one of the records or in both is reported, also when disputed."""
        nowhere, name = "/results/x", self.printed["claims"][0]["id"]
        right = self.record
        there = with_value(right, nowhere, "1/2")
        for more in ({}, {"disputed": name, "by": "1"}, {"disputed": "no-such-claim", "by": "1"}):
            self.figure(field=nowhere, printed="1/2", **more)
            for self.record, self.expected in ((right, there), (there, right), (right, right)):
                self.assertIn("表 11.3，字段不全：第 3 行，Logits，红色 1/2 → ", self.lines()[0])
                self.assertIn("没有这个字段", self.lines()[0])

    def test_disputed_figures(self) -> None:
        """A disputed figure differs from both by what it says, and its claim, if it has one, fails or depends."""
        name = self.printed["claims"][0]["id"]
        off, right = {"printed": "0.5", "by": "0.125"}, self.record
        good: list[dict[str, str]] = [off, {"printed": "999.9", "by": "999.525"}, {**off, "disputed": name}]
        bad: list[dict[str, str]] = [
            {**off, "by": "-0.125"}, {**off, "by": "x"}, {**off, "printed": "999.9"}, {**off, "printed": "red"},
            {"printed": "0.375", "by": "0"}, {"printed": "0.375", "by": "0.125"}, {**off, "disputed": "no-such-claim"}]
        self.both(f"/results/claims/{name}", "depends")
        self.claim(verdict="depends")
        for members in (*good, *bad):
            self.figure(**members)
            reason = f"标为有争议，就应与记录不合，多 {members['by']}，论断也不成立或视条件而定"
            shown = "0.375" if "." in members["printed"] else "3/8"
            wanted = [TABLE.format(reason, f"{members['printed']} → {shown}")] if members in bad else []
            self.assertEqual(self.report(True)[1:-1], wanted, members)
        strange: list[Any] = ["fails", "depends", "holds", "outside", True, {}]
        for verdict in strange:
            self.both(f"/results/claims/{name}", verdict)
            self.figure(**off, disputed=name)
            told = [line for line in self.lines() if "标为有争议" in line] if verdict != "depends" else []
            self.assertEqual(bool(told), verdict not in ("fails", "depends"), verdict)
        self.record = right
        self.figure(**off, why="因为 {/results/x}。")
        self.assertIn("表 11.3，字段不全：", self.lines()[0])
        for values in (("3/8", "1/2"), ("1/2", "3/8")):  # one of the two agrees with what is printed
            self.figure(disputed=name, by="0")
            self.record, self.expected = (with_value(right, LOGIT, value) for value in values)
            self.assertIn("表 11.3，标为有争议", self.lines()[0])

    def test_claims(self) -> None:
        """A verdict without claim, a claim without verdict, and evidence that is lost or missing."""
        first = self.printed["claims"][0]
        place, short = f"/results/claims/{first['id']}", f"“{first['claim'][:29]}…”（{first['place']}）"
        surplus = f"应为 没有这个字段，实为 成立：“{first['id']}”（列出的论断里没有）（{place}）"
        self.claim(id="other")
        self.assertEqual(self.lines(), [surplus, f"应为 成立，实为 没有这个字段：{short}（other）"])
        self.printed["claims"] = self.printed["claims"][1:]
        self.assertEqual(self.lines(), [surplus])
        self.printed["claims"].insert(0, {**first, "evidence": ["/results/order", "/results/x", "x"]})
        self.assertEqual(self.lines(), [f"证据不在记录里，如 /results/x：{short}（{place}）"])
        del first["verdict"]
        self.claim(**first)
        del self.printed["claims"][0]["verdict"]  # what a reader concludes must be told where there is evidence
        self.assertEqual(self.lines(), [f"应为 没有这个字段，实为 成立：{short}（{place}）"])
        self.claim(evidence=[])
        for judged in ("fails", "depends", "holds"):
            self.both(place, judged)
            self.assertEqual(self.lines(), [f"应为 不由计算判定，实为 {VERDICTS[judged]}：{short}（{place}）"])
        self.both(place, "outside")
        self.assert_agrees()

    def test_changed_verdict(self) -> None:
        """A verdict that is not as expected is named in words, by the claim's sentence and its place in the text."""
        first = self.printed["claims"][0]
        place, short = f"/results/claims/{first['id']}", f"“{first['claim'][:29]}…”（{first['place']}）"
        changes: list[tuple[Any, Any, str]] = [
                ("holds", "fails", "应为 成立，实为 不成立"), ("depends", "holds", "应为 视条件而定，实为 成立"),
                ("holds", "outside", "应为 成立，实为 这份数据里没有这样的情形"), ("holds", "x", '应为 成立，实为 "x"'),
                ("holds", [], "应为 成立，实为 列表（0 项）"), ("holds", 1, "应为 成立，实为 1"),
                ("fails", "fails", "应为 成立，实为 不成立"), (1, 1, "应为 成立，实为 1"),
                ([], [], "应为 成立，实为 列表（0 项）")]
        for want, have, change in changes:
            self.record, self.expected = (with_value(self.record, place, value) for value in (have, want))
            self.assertEqual(self.lines(), [f"{change}：{short}（{place}）"])
        self.record, self.expected = (with_value(self.record, place, value) for value in ("fails", "holds"))
        self.assertEqual(self.lines(2), [f'{place}：应为 "holds"，实为 "fails"'])  # without its sentence it is a field
        del self.record["results"]["claims"][first["id"]]
        self.assertEqual(self.lines(), [f"应为 成立，实为 没有这个字段：{short}（{place}）"])


class Chapters(Compared):
    """The same record with its results in chapters, each of which ends in its own claims."""

    def setUp(self) -> None:
        """Move the results into a chapter, and half of the claims into the next one."""
        super().setUp()
        for record in (self.record, self.expected):
            results = record["results"]
            half = list(results["claims"])[len(results["claims"]) // 2:]
            record["results"] = {"chapter_11": results, "chapter_12": {"tanh": "0.964028", "claims": {
                name: results["claims"].pop(name) for name in half}}}
        self.printed = json.loads(json.dumps(self.printed).replace('"/results/', '"/results/chapter_11/'))

    def test_claims_of_chapters(self) -> None:
        """Verdicts are found in each chapter; claims elsewhere in the record are none."""
        self.assert_agrees()
        moved = copy.deepcopy(self.record)
        moved["results"]["chapter_x"] = {"claims": moved["results"]["chapter_12"].pop("claims")}
        self.record = self.expected = moved
        lines = self.lines()
        self.assertEqual(len(lines), len(moved["results"]["chapter_x"]["claims"]))
        self.assertEqual({line.partition("：")[0].partition("，")[2] for line in lines}, {"实为 没有这个字段"})

    def test_groups(self) -> None:
        """Fields are collapsed by the chapter's own places; of each the first stands for all."""
        for pointer in pointers(self.record["results"]["chapter_11"]["order"]):
            self.record = with_value(self.record, f"{CHAPTER}order" + pointer, "x")
        self.record["results"]["chapter_12"]["tanh"] = "0"
        self.assertEqual(self.report(files=2)[1:-1], [
            "字段（11 处）", f'  {CHAPTER}order/0/tokens/0：应为 "red"，实为 "x"，等 10 处',
            '  /results/chapter_12/tanh：应为 "0.964028"，实为 "0"', "加 --all 逐处列出"])


class Pointers(unittest.TestCase):
    """JSON Pointers into a record."""

    def test_places(self) -> None:
        """A value stands at what its keys and indices are, with ~1 for a slash and ~0 for a tilde, and nowhere else."""
        value = {"a": [{"b/c~": "x"}, "2"], "": {"": "3"}, "~1": "4", "0": None}
        self.assertEqual(reading.placed("", value, {}), {
            "": value, "/a": value["a"], "/a/0": {"b/c~": "x"}, "/a/0/b~1c~0": "x", "/a/1": "2", "/": {"": "3"},
            "//": "3", "/~01": "4", "/0": None})
