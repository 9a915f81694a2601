"""Whatever stands in a file, the checker answers in a report or in one line."""
from __future__ import annotations

import contextlib
import copy
import json
import os
import random
from pathlib import Path
from typing import Any

import check
from checking import known, reading
from support import command
from support.command import Refused
from tests.checked import FILES, Compared
from tests.shared import at, loaded, spoiled, with_value


class Files(Compared):
    """What cannot be compared is refused."""

    def test_refused(self) -> None:
        """Each text here is refused with its place; an expectation without results is no success."""
        long = f"嵌套太深或键太长：位置超过 {reading.LONGEST_PLACE} 个字符"
        cases = {'{"a": 1, "a": 2}': '文件顶层：键 "a" 重复了', '{"a": [NaN]}': "/a/0：NaN 不是数",
                 '{"a/b": [-Infinity]}': "/a~1b/0：-Infinity 不是数",
                 '{"x": 1, "a": {"b": NaN, "b": 2}}': '/a：键 "b" 重复了',
                 '{"a": ' + "[" * 151 + "]" * 151 + "}": long, "[" * 100000: long, '{"' + "k" * 300 + '": 1}': long,
                 "{": "第 1 行第 2 列：不是合法的 JSON", '{"a":\n1 2}': "第 2 行第 3 列：不是合法的 JSON",
                 "": "第 1 行第 1 列：不是合法的 JSON", "[1]": "文件顶层：应为一个 JSON 对象，实为 列表（1 项）",
                 "1": "文件顶层：应为一个 JSON 对象，实为 1"}
        for text, message in cases.items():
            self.record = text
            self.assert_refused(0, message)
        self.record = loaded(FILES[0][0])
        for results, shown in (({}, "对象（0 个字段）"), ([1], "列表（1 项）"), (0, "0"), (None, "null")):
            self.expected["results"] = results
            self.assert_refused(1, f"/results：应为对象，至少一个字段，实为 {shown}")
        del self.expected["results"]
        self.assert_refused(1, "/results：应为对象，至少一个字段，实为 没有这个字段")

    def test_limits(self) -> None:
        """Pointers of 300 characters, a million values and 64 MiB are read."""
        path = Path(self.paths[0])
        for whole in ({"k" * 299: "x"}, {"a": json.loads("[" * 150 + "]" * 150)}):
            path.write_text(json.dumps(whole), encoding="utf-8")
            self.assertEqual(max(map(len, reading.read(str(path)))), 300)
        for commas, wanted in ((999_999, '/record：应为 "part-iii-run-v1"，实为 没有这个字段'),
                               (1_000_000, "超过 1000000 个值")):  # with the bracket; texts count too
            self.record = '{"a": "' + "," * commas + '"}'
            self.assert_refused(0, wanted)
        text = json.dumps(loaded(FILES[0][1]))
        command.write_text(self.paths[1], text + " " * ((64 << 20) - len(text)))
        self.assertEqual(len(check.check([self.paths[1]] * 2)), 1)
        with self.assertRaisesRegex(Refused, "写不进去：会超过 64 MiB"):  # and what is there stays
            command.write_text(self.paths[1], " " * ((64 << 20) + 1))
        self.assertEqual(os.path.getsize(self.paths[1]), 64 << 20)
        os.truncate(self.paths[1], (64 << 20) + 1)
        with self.assertRaisesRegex(Refused, "文件超过 64 MiB$"):
            check.check([FILES[0][0], self.paths[1]])

    def test_not_utf_8(self) -> None:
        """The byte at which a file is no longer UTF-8 is named."""
        Path(self.written()[2]).write_bytes(b'{"a": "\xff"}')
        with self.assertRaisesRegex(Refused, "第 8 个字节起不是 UTF-8"):
            check.check(self.paths)

    def test_other_bytes(self) -> None:
        """The same content in other bytes, which diff prints, is a difference: its first line, and what to do."""
        for files, row in zip(FILES[:2], known.RECORDS):
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
                    self.assertIn(f"下一步：{row.program} 和 {row.derivation} 重写", report[1])
            Path(self.paths[0]).write_bytes(right)
            Path(self.paths[1]).write_bytes(right)
            self.assertEqual(len(check.check(self.paths[:2], row)), 1)

    def test_ledger(self) -> None:
        """A ledger with a member that is missing, empty, too long or of another kind is refused at its place."""
        right, text = copy.deepcopy(self.printed), " 1 至 1000 个字符的文字"
        needed = {f"/{kind}/1/{name}": text for kind, names in (("figures", ("place", "printed", "field")),
                                                                ("claims", ("id", "place", "claim"))) for name in names}
        needed |= {"/figures": "列表，至少一项", "/claims": "列表，至少一项", "/claims/1/evidence": f"{text}的列表"}
        strange: dict[str, list[Any]] = {
            "列表，至少一项": [[], {}, None, "x"], "对象": [[], "x", None], text: ["", 1, None, [], "x" * 1001],
            f"{text}的列表": ["x", None, {}, [1], ["/results", 0], [""]], "列表": ["x", None, {}],
            "别处没有的名字": [right["claims"][0]["id"]], " holds、fails、depends、outside": ["成立", "x"]}
        others = [("/figures/1", "对象"), ("/claims/1", "对象"), ("/places", "列表"),
                  ("/claims/1/id", "别处没有的名字"), ("/claims/1/verdict", " holds、fails、depends、outside")]
        others += [(f"/{kind}/1/{name}", text) for kind in ("figures", "claims") for name in ("by", "repeat", "x")]
        for place, wanted in (*needed.items(), *others):
            for value in strange[wanted]:
                self.printed = with_value(right, place, value)
                shown = reading.written(reading.Literal(1) if value == 1 else value)
                self.assert_refused(2, f"{place}：应为{wanted}，实为 {shown}")
        for place, wanted in needed.items():
            self.printed = copy.deepcopy(right)
            holder, _, name = place.rpartition("/")
            del at(self.printed, holder)[name]
            self.assert_refused(2, f"{place}：应为{wanted}，实为 没有这个字段")
        self.printed = copy.deepcopy(right)
        del self.printed["inputs"]
        self.assert_refused(2, "/inputs：应为 列表（2 项），实为 没有这个字段")
        self.printed = {**right, "places": []}
        self.printed["figures"][0]["place"] = "x" * 1000
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
