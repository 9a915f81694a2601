"""Whatever stands in a file, the checker answers in a report or in one line."""
from __future__ import annotations

import contextlib
import copy
import json
import os
import random
import re
from pathlib import Path
from typing import Any

import check
from checking import known, reading, wording
from support import command
from support.command import Refused
from tests.checked import FILES, Compared
from tests.shared import loaded, pointers, spoiled, with_value


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
        self.record = loaded(FILES[0][0])
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
        self.assert_refused(0, "超过 64 MiB 或 1000000 个值")
        for text in (self.record, "红" * (1 << 25)):  # what would be refused is not written
            with self.assertRaisesRegex(Refused, "：写不进去：会超过 64 MiB 或 1000000 个值$"):
                command.write_record(self.paths[1], text)
        text = json.dumps(loaded(FILES[0][1]))
        command.write_record(self.paths[1], text + " " * ((64 << 20) - len(text)))
        self.assertEqual(len(check.check([self.paths[1]] * 2)), 1)

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
            self.record = loaded(FILES[0][0])
            self.report(files=2)
            os.truncate(path, (64 << 20) + more)  # the rest is zeros
            with self.assertRaisesRegex(Refused, f"{re.escape(command.shown(path))}：.*{refusal}"):
                check.check(self.paths[:2])
        self.printed["note"] = "x" * (1 << 20)
        self.assert_refused(2, "文件超过 1 MiB")

    def test_not_utf_8(self) -> None:
        """The byte at which a file is no longer UTF-8 is named."""
        self.report()
        Path(self.paths[2]).write_bytes(b'{"a": "\xff"}')
        with self.assertRaisesRegex(Refused, "第 8 个字节起不是 UTF-8"):
            check.check(self.paths)

    def test_other_bytes(self) -> None:
        """The same content in other bytes, which diff prints, is a difference: its first line, and what to do."""
        for files, row in zip(FILES, known.RECORDS):
            right = Path(files[0]).read_bytes()
            turned = json.dumps(dict(reversed(loaded(files[0]).items())), ensure_ascii=False).encode()
            lines, agrees = right.count(b"\n"), check.check(files, row)[0].partition("；")[0].partition("：")[2]
            for other, line in ((right.replace(b"\n", b"\r\n"), 1), (b"\xef\xbb\xbf" + right, 1), (turned, 1),
                                (right.replace(b"\n  ", b"\n    ", 1), 2), (right[:-1], lines),
                                (right + b"\n", lines + 1)):
                for place in (0, 1):
                    Path(self.paths[place]).write_bytes(other)
                    Path(self.paths[1 - place]).write_bytes(right)
                    report = check.check([*self.paths[:2], files[2]], row)
                    self.assertEqual(report[0], f"{command.shown(self.paths[0])}：{agrees}；"
                                                f"内容相同，字节不同：第 {line} 行")
                    self.assertRegex(report[1], f"^下一步：.*{row.program} 和 .*{row.derivation} 重写两份文件")
            Path(self.paths[0]).write_bytes(right)
            Path(self.paths[1]).write_bytes(right)
            self.assertEqual(len(check.check(self.paths[:2], row)), 1)

    def test_ledger(self) -> None:
        """A printed file with a member that is missing, empty, too long or of another kind is refused at its place."""
        right = copy.deepcopy(self.printed)
        texts: list[Any] = ["", 1, None, [], "x" * 1001, wording.MISSING]
        lists: list[Any] = [None, "x", {}, [1], [None], ["/results", 0], wording.MISSING]
        for kind, names in (("figures", ["place", "printed", "field", "disputed", "by"]),
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
                    self.printed[kind][1].update({"disputed": "x", "by": "1", "repeat": "x", name: value})
                    if value is wording.MISSING:
                        del self.printed[kind][1][name]
                    shown = wording.written(wording.Literal(1) if value == 1 else value)
                    reason = "应为文字的列表" if name == "evidence" else f"应为 1 至 1000 个字符的文字，实为 {shown}"
                    if value is not wording.MISSING or name not in ("disputed", "repeat"):
                        self.assert_refused(2, f"/{kind}/1/{name}：{reason}")
        erratum = {**dict.fromkeys(("quote", "instead", "why", "number", "repeat"), "x"), "weight": "small"}
        for kind in ("figures", "claims"):  # an erratum has all of its fields, and a figure says by what it is off
            for name in erratum:
                self.printed = copy.deepcopy(right)
                self.printed[kind][1].update({**erratum, "by": "1"})
                del self.printed[kind][1][name]
                if name != "instead":
                    self.assert_refused(2, f"/{kind}/1/{name}：应为 1 至 1000 个字符的文字，实为 没有这个字段")
        self.printed = copy.deepcopy(right)
        self.printed["figures"][1].update(erratum)
        self.assert_refused(2, "/figures/1/by：应为 1 至 1000 个字符的文字，实为 没有这个字段")
        for name, value, words in (("verdict", "outside", "holds、fails、depends"), ("weight", "x", "grave、small")):
            self.printed = copy.deepcopy(right)
            self.printed["claims"][1].update({**erratum, name: value})
            self.assert_refused(2, f'/claims/1/{name}：应为 {words}，实为 "{value}"')
        for value in ("x", None, {}, [1]):
            self.printed = {**right, "places": value}
            self.assert_refused(2, "/places：应为文字的列表")
        self.printed = {**right, "places": []}
        self.printed["figures"][0]["place"] = "x" * 1000
        self.printed["claims"][0]["repeat"] = "y"
        self.assert_agrees()


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
