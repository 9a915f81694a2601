"""The checker: it accepts what agrees, and names the place of every single change."""
from __future__ import annotations

import json
import os
import tempfile
import unittest
from typing import Any

import check
from support.command import Refused, located
from tests.shared import pointers, with_value

FILES = [tuple(map(located, record)) for record in check.RECORDS]


class Fields(unittest.TestCase):
    """Record against expectation."""

    def test_every_leaf(self) -> None:
        """Every leaf of every record, spoiled, is reported under its own pointer and nowhere else."""
        for run_file, expected_file, _ in FILES:
            run, expected = check.read(run_file), check.read(expected_file)
            self.assertEqual(check.compare(run, expected)[0], [])
            for name in ("inputs", "results"):
                for key, member in check.members_of(run[name]):  # one member at a time: the others were equal above
                    place, wanted = f"/{name}/{check.escaped(key)}", expected[name][key]
                    for pointer in pointers(member):
                        wrong = with_value(member, pointer, "x") if pointer else "x"
                        found = check.differences(wanted, wrong, place)
                        self.assertEqual([found_place for found_place, _, _ in found], [place + pointer])

    def test_kinds_of_difference(self) -> None:
        """Text for a number, 1.0 or true for 1, a list for an object, a missing and a surplus field."""
        kinds = [("1", 1), (1, True), ({"a": 1}, [1]), (None, False), (check.Literal("1"), check.Literal("1.0"))]
        for want, have in kinds:
            self.assertEqual([place for place, _, _ in check.differences({"k": want}, {"k": have}, "")], ["/k"])
        found = list(check.differences({"a/b": 1, "c": [1]}, {"c": [1, 2], "d": 0}, ""))
        self.assertEqual([place for place, _, _ in found], ["/a~1b", "/c/1", "/d"])
        self.assertEqual(list(check.differences({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, "")), [])

    def test_other_bytes_than_on_disk(self) -> None:
        """Record and expectation that agree on a sha256 which the file on disk has not: a difference."""
        run, expected = (check.read(file) for file in FILES[0][:2])
        for made in (run, expected):
            made["inputs"] = with_value(made["inputs"], "/0/sha256", "0" * 64)
        self.assertEqual([line.partition("：")[0] for line in check.compare(run, expected)[0]], ["/inputs/0/sha256"])


class Printed(unittest.TestCase):
    """Record and expectation against the figures and claims of the texts."""

    def setUp(self) -> None:
        """Read the committed files."""
        self.record, self.expected, self.printed = (check.read(file) for file in FILES[0])

    def report(self) -> list[str]:
        """Return the lines about figures and claims."""
        lines = [line for line, _ in check.figures(self.printed, self.record, self.expected, "p")]
        return [line for line in lines + list(check.claims(self.printed, self.record, "p")) if line]

    def test_each_figure_can_drift(self) -> None:
        """Each printed figure, changed in its last place, is reported with its place in the book."""
        self.assertEqual(self.report(), [])
        for figure in self.printed["figures"]:
            if "disputed" in figure:
                continue
            text = figure["printed"]
            other = {"正确": "错误", "错误": "正确"}.get(text)
            other = other or (text[:-1] + str((int(text[-1]) + 1) % 10) if text[-1].isdigit() else text + "x")
            changed = dict(self.printed, figures=[dict(figure, printed=other)])
            lines = [line for line, _ in check.figures(changed, self.record, self.expected, "p")]
            self.assertTrue(lines[0] and lines[0].startswith(figure["place"]), figure)
            self.assertIn("书中所印走样", str(lines[0]))

    def test_who_drifted(self) -> None:
        """The report names the one of three that differs from the other two."""
        pointer = "/results/chapter_11/worked_softmax/probability"
        right = self.record
        self.record = with_value(right, pointer, "0.592668")
        self.assertTrue(all("程序的记录走样" in line for line in self.report()) and self.report())
        self.record, self.expected = right, with_value(self.expected, pointer, "0.592668")
        self.assertTrue(all("推导走样" in line for line in self.report()) and self.report())

    def test_forms_of_figures(self) -> None:
        """Fractions and integers exactly, decimals and powers of ten rounded half to even, names and truth values."""
        good = [("1/256", "1/256"), ("0.00390625", "1/256"), ("0.004", "1/256"), ("2", "2"), ("正确", True),
                ("red", "red"), ("0.12", "1/8"), ("0.38", "3/8"), ("-0.375", "-3/8"),
                ("2.31e-07", "2.31e-07"), ("2.3e-7", "2.31e-07")]
        bad = [("1/256", "1/257"), ("0.0039", "1/250"), ("2", "5/2"), ("正确", False), ("错误", None), ("red", "blue"),
               ("0.13", "1/8"), ("0.37", "3/8"), ("1", True), ("2.32e-07", "2.31e-07"), ("0", None), ("1/2", ["1/2"])]
        for printed, value in good:
            self.assertTrue(check.agrees(printed, value), (printed, value))
        for printed, value in bad:
            self.assertFalse(check.agrees(printed, value), (printed, value))
        self.assertTrue(check.agrees("3", check.Literal("3")))

    def test_disputed_figures_must_differ(self) -> None:
        """A figure marked as disputed that agrees after all is reported, and so is one without its claim."""
        self.printed["figures"] = [dict(self.printed["figures"][0], disputed="one-right-each")]
        self.assertIn("其实相符", self.report()[0])
        self.printed["figures"][0]["printed"] = "green"
        self.assertEqual(self.report(), [])
        self.printed["figures"][0]["disputed"] = "no-such-claim"
        self.assertIn("却没有论断", self.report()[0])

    def test_claims(self) -> None:
        """A verdict without claim, a claim without verdict, lost evidence, and evidence that is not there."""
        first = self.printed["claims"][0]
        changes = [(dict(first, id="other"), ["没有判定", "没有这条论断"]),
                   (dict(first, evidence=["/results/x"]), ["不在记录里"]), (dict(first, evidence=[]), ["没有列出证据"])]
        for changed, expected in changes:
            self.printed["claims"] = [changed, *self.printed["claims"][1:]]
            self.assertEqual([part for line, part in zip(self.report(), expected) if part not in line], [])
            self.assertEqual(len(self.report()), len(expected))


class Files(unittest.TestCase):
    """What cannot be compared is refused."""

    def test_refused(self) -> None:
        """Each text here is refused with its place; an expectation without fields is no success."""
        deep = "[" * 70 + "]" * 70
        cases = {'{"a": 1, "a": 2}': '键 "a" 重复了', '{"a": [NaN]}': "/a/0：NaN 不是数",
                 f'{{"a": {deep}}}': "嵌套超过 64 层", "[" * 100000: "嵌套超过 64 层",
                 "{": "第 1 行第 2 列：不是合法的 JSON", "[1]": "应为一个 JSON 对象", "": "不是合法的 JSON"}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "record.json")
            for text, message in cases.items():
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaises(Refused) as caught:
                    check.read(path)
                self.assertIn(message, str(caught.exception))
            empty: list[Any] = [{}, {"inputs": [], "results": {"a": 1}}, {"inputs": [{}], "results": {}}]
            for value in empty:
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(value, file)
                with self.assertRaisesRegex(Refused, "没有可比的字段"):
                    check.check(FILES[0][0], path, None)


if __name__ == "__main__":
    unittest.main()
