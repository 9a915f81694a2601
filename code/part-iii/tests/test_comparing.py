"""What the checker finds: fields, printed figures and claims that do not agree, each at its place."""
from __future__ import annotations

import copy
import json
import unittest
from typing import Any
from unittest import mock

import check
from checking import comparing, known, reading, wording
from support import command
from tests.checked import AGAIN, CHAPTER, FILES, LOGIT, Compared
from tests.shared import loaded, pointers, with_value

ERRATA = "；课文该改的全部：python3 code/part-iii/check.py --errata"


class Fields(Compared):
    """Record against expectation."""

    def test_every_leaf(self) -> None:
        """Every leaf of every record, spoiled by its own pointer, is reported there, with that and what was wanted."""
        for run_file, expected_file, _ in FILES:
            run, expected = reading.read(run_file), reading.read(expected_file)
            self.assertEqual(list(comparing.differences(expected, run)), [])
            wanted = dict(reading.leaves(expected))
            self.assertGreater(len(wanted), 250)
            for pointer in wanted:
                run = with_value(run, pointer, pointer)
            self.assertEqual(list(comparing.differences(expected, run)), [
                (pointer, value, pointer) for pointer, value in wanted.items()])

    def test_kinds_of_difference(self) -> None:
        """Text for a number, 1.0 or true for 1, a list for an object, a missing and a surplus field."""
        kinds = [("1", 1), (1, True), ({"a": 1}, [1]), (None, False), (wording.Literal("1"), wording.Literal("1.0")),
                 (wording.Literal("1.50"), wording.Literal("1.5")), (wording.Literal("1"), "1"), ("a", "b")]
        for want, have in kinds:
            self.assertEqual(list(comparing.differences({"k": want}, {"k": have})), [("/k", want, have)])
        reported = list(comparing.differences({"a/b": 1, "c": [1]}, {"c": [1, 2], "d~": 0}))
        nothing = wording.MISSING
        self.assertEqual(reported, [("/a~1b", 1, nothing), ("/c/1", nothing, 2), ("/d~0", nothing, 0)])
        self.assertEqual(list(comparing.differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})), [])

    def test_count(self) -> None:
        """The line on what agrees counts leaves, figures and claims; an empty list or object is one leaf."""
        for files, row in zip(FILES, known.RECORDS):
            expected, printed = loaded(files[1]), loaded(files[2])
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


class Printed(Compared):
    """Record and expectation against the figures and claims of the texts."""

    def test_each_figure_can_drift(self) -> None:
        """Each printed figure, changed in its last place, is the one line of the report, with its place in the book."""
        self.assertGreater(len(self.printed["figures"]), 100)
        for figure in self.printed["figures"]:
            text = figure["printed"]
            other = {"正确": "错误", "错误": "正确"}.get(text)
            other = other or (text[:-1] + str((int(text[-1]) + 1) % 10) if text[-1].isdigit() else text + "x")
            changed = {"figures": [dict(figure, printed=other)]}
            (fault,) = comparing.figures(changed, self.record, self.expected, False)
            self.assertTrue(fault.line.startswith(f"{figure['place']}（{figure['field']}）：印的 "), fault)
            self.assertTrue(fault.line.endswith("：书中所印走样"), fault)

    def test_ledger_of_the_repository(self) -> None:
        """A ledger of the repository is named by its path there."""
        name = "data/part-iii/printed-v1.json"
        self.record, self.expected = map(loaded, FILES[0][:2])
        self.both(LOGIT.replace("/results/", CHAPTER), "1/2")
        self.both(f"{CHAPTER}claims/x", "holds")
        self.report()
        report = check.check([*self.paths[:2], FILES[0][2]])
        self.assertIn(f"{CHAPTER}claims/x：记录有判定，{name} 里没有这条论断", report)
        self.assertEqual(report[-1], f"下一步：改正课文或 {name}，再 python3 code/part-iii/check.py{ERRATA}")

    def test_who_drifted(self) -> None:
        """The report names the one of three that differs from the other two, and has each value in its place."""
        self.figure()
        start = f"表 11.3，第 3 行，Logits，红色（{LOGIT}）：印的 "
        right, derived = self.record, self.expected
        self.record = with_value(right, LOGIT, "1/2")
        self.assertEqual(self.lines()[0], f"{start}0.375，记录 1/2，推导 3/8：程序的记录走样")
        self.assertEqual(self.report()[-1], AGAIN)
        self.record, self.expected = right, with_value(derived, LOGIT, "1/2")
        self.assertEqual(self.lines()[0], f"{start}0.375，记录 3/8，推导 1/2：推导走样")
        self.assertIn("：记录与期望不同，所印的与记录相合；", self.report()[0])
        self.assertEqual(self.report()[-1],
                         "下一步：python3 code/part-iii/derive.py 重写 expected.json；仍不同，就查推导")
        self.printed["figures"].append({**self.printed["figures"][0], "printed": "0.5"})
        self.assertIn("：记录与期望不同；", self.report()[0])
        self.figure(printed="0.4")
        self.record = with_value(right, LOGIT, "1/3")
        self.assertEqual(self.lines()[0], f"{start}0.4，记录 1/3，推导 1/2：三处各不相同")
        self.record, self.expected = (with_value(record, LOGIT, value)
                                      for record, value in ((right, 1), (derived, "1")))
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
        self.figure(field="/results/order/0/state/0", printed="0.3")
        self.both("/results/order/0/state/0", "1" * 2000 + "/" + "3" * 2000)
        self.assert_agrees()
        self.both("/results/order/0/state/0", "1" * 2000 + "/" + "3" * 1999)
        shown = f"{'1' * 40}…（共 4000 个字符）"
        self.assertEqual([line.partition("印的 ")[2] for line in self.lines()],
                         [f"0.3，记录 {shown}，推导 {shown}：书中所印走样"])

    def test_field_that_is_not_there(self) -> None:
        """A figure whose pointer leads nowhere in one of the records or in both is reported, also when disputed."""
        nowhere, names = "/results/x", (self.printed["claims"][0]["id"], "no-such-claim")
        for more in ({}, *({"disputed": name, "by": "1"} for name in names)):
            for files in (("record",), ("expected",), ("record", "expected"), ()):
                self.figure(field=nowhere, printed="1/2", **more)
                before = self.record, self.expected
                if len(files) < 2:
                    for name in {"record", "expected"} - set(files) if files else ():
                        record = copy.deepcopy(getattr(self, name))
                        record["results"]["x"] = "1/2"
                        setattr(self, name, record)
                line = self.lines()[0]
                old, new = ("没有这个字段" if name in files or not files else "1/2" for name in ("record", "expected"))
                self.assertTrue(line.endswith(f"（{nowhere}）：印的 1/2，记录 {old}，推导 {new}：字段不全"), line)
                self.record, self.expected = before

    def test_disputed_figures(self) -> None:
        """A disputed figure must differ from both, and its claim must be there and fail or depend."""
        name = self.printed["claims"][0]["id"]
        verdict = f"/results/claims/{name}"
        self.figure(printed="0.5", disputed=name, by="0.125")
        for judged, reason in (("fails", ""), ("depends", ""), ("holds", '"holds"'), ("outside", '"outside"'),
                               (True, "true"), ({}, "对象（0 个字段）")):
            self.both(verdict, judged)
            lines = [line for line in self.report(True)[1:-1] if line.startswith("表 11.3")]
            wanted = [f"标为有争议，而论断 {name} 的判定是 {reason}"] if reason else []
            self.assertEqual([line.rpartition("：")[2] for line in lines], wanted, judged)
        self.both(verdict, "fails")
        for printed, by, right in (("0.5", "1/8", True), ("0.5", "-0.125", False), ("999.9", "0.125", False),
                                   ("999.9", "999.525", True), ("red", "0.125", False), ("0.5", "x", False)):
            self.figure(printed=printed, disputed=name, by=by)
            wrong = [line for line in self.report(True)[1:-1] if line.startswith("表 11.3")]
            self.assertEqual([line.rpartition("：")[2] for line in wrong],
                             [] if right else [f"标为有争议，应比记录多 {by}，其实不是"], printed)
        self.figure(printed="0.5", by="0.125")  # an erratum of its own, without a claim
        self.assertEqual([line for line in self.report(True)[1:-1] if line.startswith("表 11.3")], [])
        for members, reason in (({"printed": "0.5", "by": "1"}, "标为有争议，应比记录多 1，其实不是"),
                                ({"printed": "0.375", "by": "0.125"}, "标为有争议，其实相符"),
                                ({"printed": "0.5", "by": "0.125", "why": "因为 {/results/x}。"}, "字段不全")):
            self.figure(**members)
            (line,) = [line for line in self.report(True)[1:-1] if line.startswith("表 11.3")]
            self.assertEqual(line.rpartition("：")[2], reason)
        self.figure(printed="0.5", disputed="no-such-claim", by="0.125")
        self.assertTrue(self.lines()[0].endswith("：标为有争议，而论断 no-such-claim 的判定是 没有这个字段"))
        for values in (("3/8", "3/8"), ("3/8", "1/2"), ("1/2", "3/8")):
            self.figure(disputed=name, by="0")
            self.record, self.expected = (with_value(record, LOGIT, value)
                                          for record, value in zip((self.record, self.expected), values))
            self.assertTrue(self.lines()[0].endswith(f"推导 {values[1]}：标为有争议（{name}），其实相符"), self.lines())

    def test_claims(self) -> None:
        """A verdict without claim, a claim without verdict, a claim written twice, evidence that is lost or missing."""
        first = self.printed["claims"][0]
        start, place = f"{first['place']}，论断 {first['id']}：", f"/results/claims/{first['id']}"
        surplus = f"{place}：记录有判定，{command.shown(self.paths[2])} 里没有这条论断"
        none = "没有判定，或判定不是 holds、fails、depends、outside："
        self.claim(id="other")
        self.assertEqual(self.lines(), [f"{first['place']}，论断 other：{none}没有这个字段", surplus])
        self.claim(**{**first, "evidence": ["/results/order", "/results/x", "x"]})
        self.assertEqual(self.lines(), [f'{start}证据 "/results/x" 不在记录里'])
        self.claim(evidence=[])
        del self.printed["claims"][0]["verdict"]
        for judged in ("fails", "depends", "holds"):
            self.both(place, judged)
            self.assertEqual(self.lines(), [f"{start}判为 {judged}，却没有列出证据"])
        self.both(place, "outside")
        self.assert_agrees()
        del first["verdict"]
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
        for record in (self.record, self.expected):
            verdicts = record["results"]["claims"]
            verdicts["a/b~"] = verdicts.pop(first["id"])
        self.assertEqual(self.lines(), [surplus.replace(first["id"], "a~1b~0")])

    def test_changed_verdict(self) -> None:
        """A verdict that is not as expected is named in words, with the claim's place in the text."""
        first = self.printed["claims"][0]
        place = f"/results/claims/{first['id']}"
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
        verdicts = self.record["results"]["claims"]
        verdicts["a/b~"] = verdicts.pop(first["id"])
        self.claim(id="a/b~")
        self.assertEqual(self.lines(), [
            f"{place}：应为 视条件而定，实为 没有这个字段",
            f"/results/claims/a~1b~0（{first['place']}）：应为 没有这个字段，实为 视条件而定"])


class Chapters(Compared):
    """The same record with its results in chapters, each of which ends in its own claims."""

    def setUp(self) -> None:
        """Move the results into a chapter, and half of the claims into the next one."""
        super().setUp()
        for record in (self.record, self.expected):
            results = record["results"]
            half = list(results["claims"])[14:]
            record["results"] = {"chapter_11": results, "chapter_12": {"tanh": "0.964028", "claims": {
                name: results["claims"].pop(name) for name in half}}}
        self.printed = json.loads(json.dumps(self.printed).replace('"/results/', '"/results/chapter_11/'))

    def test_both_verdicts(self) -> None:
        """A claim that is judged in two chapters has no verdict; claims elsewhere in the record are none."""
        self.assert_agrees()
        first = self.printed["claims"][0]["id"]
        for record in (self.record, self.expected):
            record["results"]["chapter_12"]["claims"][first] = "holds"
        self.assertEqual([line.rpartition("：")[2] for line in self.lines()], ["没有这个字段"])
        for record in (self.record, self.expected):
            record["results"]["chapter_x"] = {"claims": record["results"]["chapter_12"].pop("claims")}
        self.assertEqual(len(self.lines()), len(self.printed["claims"]) - 14)

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


class Pointers(unittest.TestCase):
    """JSON Pointers into a record."""

    def test_at(self) -> None:
        """A pointer leads to what its parts name, with ~1 for a slash and ~0 for a tilde."""
        value = {"a": [{"b/c~": "x"}, 2], "": {"": 3}, "~1": 4, "0": 5}
        right = {"/a/0/b~1c~0": "x", "/a/1": 2, "//": 3, "/~01": 4, "/0": 5, "/a": value["a"]}
        for pointer, reported in right.items():
            self.assertEqual(reading.at(value, pointer), reported, pointer)
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
