"""Broken data: every fault is refused with its file and its place, and nothing else ever happens."""
from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
import tempfile
import unittest
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest import mock

from chapters import bundle
from support import command, strict_json
from support.command import ROOT, Refused, located
from tests.shared import copied, loaded, spoiled, with_value

SEQUENCE, COLLISION = bundle.SEQUENCE, "data/part-ii/nnlm-data.json"


class Sandbox(unittest.TestCase):
    """A folder with both data files, which may be broken."""

    def setUp(self) -> None:
        """Copy the two data files."""
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        copied("data", self.root)

    def restore(self) -> None:
        """Put both files back."""
        for name in (SEQUENCE, COLLISION):
            copied(name, self.root)

    def put(self, name: str, content: Any) -> None:
        """Write bytes or JSON to a file; the recorded hash of the chapter 10 file follows."""
        content = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
        Path(located(name, self.root)).write_bytes(content)
        if name == COLLISION:
            sequence = loaded(SEQUENCE)
            sequence["baseline_source"]["sha256"] = hashlib.sha256(content).hexdigest()
            self.put(SEQUENCE, sequence)

    def refusal(self) -> Refused:
        """Return what reading the folder raises."""
        with self.assertRaises(Refused) as caught:
            bundle.load(self.root)
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception


# Bytes of a whole file, and the essential part of the message.
FILES: list[tuple[bytes, str]] = [
    (b"", "第 1 行第 1 列：文件是空的"),
    (b'{"rnn": {', "第 1 行第 10 列：从这里起不是合法的 JSON"),
    (b" " * (1 << 20) + b"{}", "文件超过 1 MiB"),
    (b'{"a": "\xff"}', "第 8 个字节起不是 UTF-8"),
    (b"[]", "文件顶层：应为对象，实为 列表（0 项）"),
    (b"1", "文件顶层：应为对象，实为 1"),
    (b'{"a": ' + b"[" * 100_000, "嵌套超过 64 层"),
    (b'{"a": ' + b"[" * 70 + b"]" * 70 + b"}", "嵌套超过 64 层"),
    (b'{"rnn": {"x": {"a": 1, "a": 2}}}', '/rnn/x：键 "a" 重复了'),
    (b'{"a/b": [0, NaN]}', "/a~1b/1：NaN 不是数"),
    (b'{"a\\nb": NaN}', "/a\\nb：NaN 不是数"),
    (b'{"~/": [NaN]}', "/~0~1/0：NaN 不是数"),
    (b'{"a": -Infinity}', "/a：-Infinity 不是数"),
    (b'{"a": "\\ud800"}', "/a：文字里有半个代理对"),
]

# File, place of the change, what is put there, and the essential part of the message.
FIELDS: list[tuple[str, str, Any, str]] = [
    (SEQUENCE, "rnn/output_bias/0", True, "应为数，实为 true"),
    (SEQUENCE, "rnn/output_bias/0", None, "应为数，实为 null"),
    *[(SEQUENCE, "rnn/recurrent_weight/0/0", text, '应为数，或 "1/2" 这样的分数')
      for text in ("1_0/3", " 1/2 ", "１/２", "0.5", "1/-2", "+1", "", "nan", "1/2\n")],
    (SEQUENCE, "rnn/recurrent_weight/0/0", "1/0", "/rnn/recurrent_weight/0/0：分母为零"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "1" * 101, "数字超过 100 位"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", 10**100, "数字超过 100 位"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW1e999999999", "指数超出 ±100"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW1e-999999999", "指数超出 ±100"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW0." + "1" * 100, "数字超过 100 位"),
    (SEQUENCE, "rnn/recurrent_weight", [[1, 0], [0]], "/rnn/recurrent_weight/1：应有 2 个数，实有 1"),
    (SEQUENCE, "rnn/recurrent_weight", [[1, 0]], "/rnn/recurrent_weight：应有 2 行，实有 1"),
    (SEQUENCE, "rnn/input_weight", [[1, 0], [0, 1], [0, 0]], "/rnn/input_weight：应有 2 行，实有 3"),
    (SEQUENCE, "rnn/output_weight/0", [1, 0, 0], "/rnn/output_weight/0：应有 2 个数，实有 3"),
    (SEQUENCE, "rnn/output_bias", [0], "/rnn/output_bias：应有 2 个数，实有 1"),
    (SEQUENCE, "rnn/hidden_bias", [0, 0, 0], "/rnn/hidden_bias：应有 2 个数，实有 3"),
    (SEQUENCE, "rnn/window_weight", [[1, 0], [0, 1]], "/rnn/window_weight：应有 4 行，实有 2"),
    (SEQUENCE, "rnn/initial", [0] * 65, "/rnn/initial：应有 1 至 64 个数，实有 65"),
    (SEQUENCE, "rnn/embedding/0", [0] * 65, "/rnn/embedding/0：应有 1 至 64 个数，实有 65"),
    (SEQUENCE, "rnn/embedding", "x", '/rnn/embedding：应为列表，实为 "x"'),
    (SEQUENCE, "rnn/vocabulary", [], "/rnn/vocabulary：应有 1 至 2000 个 token，实有 0"),
    (SEQUENCE, "rnn/vocabulary", ["red"] * 5, '/rnn/vocabulary/1："red" 重复了'),
    (SEQUENCE, "rnn/vocabulary/0", "a\u001b[31m", "/rnn/vocabulary/0：应为 1 至 40 个可见字符"),
    (SEQUENCE, "rnn/vocabulary/0", 5, "/rnn/vocabulary/0：应为文字，实为 5"),
    (SEQUENCE, "rnn/candidates", ["red", "red"], '/rnn/candidates/1："red" 重复了'),
    *[(SEQUENCE, "rnn/candidates", names, '/rnn/candidates：应为 ["red", "blue"]，顺序也要相同')
      for names in (["blue", "red"], ["red"], ["red", "blue", "key"])],
    (SEQUENCE, "rnn/vocabulary/2", "gap", "/rnn/vocabulary：第 11 章要用到的词不全，缺 filler"),
    (SEQUENCE, "rnn/short_inputs", [[0, 3, 4]], "应有 2 至 2000 个输入（先问 red，再问 blue），实有 1"),
    (SEQUENCE, "rnn/targets", [0, 0], '/rnn/targets/1："red" 应为 blue'),
    (SEQUENCE, "gradient/inputs", ["1/" + str(10**98 + 3 * i) for i in range(64)], "/gradient：算起来太久"),
    (SEQUENCE, "rnn/selection", "lowest logit", "/rnn/selection：应为"),
    (SEQUENCE, "rnn/short_inputs/0", [], "/rnn/short_inputs/0：应有 1 至 2000 个 ID，实有 0"),
    (SEQUENCE, "rnn/short_inputs/0", [0] * 2001, "/rnn/short_inputs/0：应有 1 至 2000 个 ID，实有 2001"),
    (SEQUENCE, "rnn/short_inputs/0", [0], "/rnn/short_inputs/0：只有 1 个 ID，装不满 2 个 token 的窗口"),
    *[(SEQUENCE, "rnn/short_inputs/0/1", value, "/rnn/short_inputs/0/1：应为 0 至 4 的整数")
      for value in (-1, 5, "RAW1.0", "1", True, None, "RAW1e0")],
    (SEQUENCE, "rnn/targets", [0], "/rnn/targets：应有 2 个目标（每个输入一个），实有 1"),
    (SEQUENCE, "rnn/targets/0", 2, "/rnn/targets/0：应为 0 至 1 的整数"),
    (SEQUENCE, "rnn", [], "/rnn：应为对象，实为 列表（0 项）"),
    (SEQUENCE, "baseline_source/path", "/etc/passwd", "/baseline_source/path：应为仓库内"),
    (SEQUENCE, "baseline_source/path", "data/../../x", "/baseline_source/path：应为仓库内"),
    (SEQUENCE, "baseline_source/path", "C:\\x", "/baseline_source/path：应为仓库内"),
    (SEQUENCE, "baseline_source/path", "data/part-ii/\0", "/baseline_source/path：应为仓库内"),
    (SEQUENCE, "baseline_source/path", "data/part-ii", "data/part-ii：应为文件，实为文件夹"),
    (SEQUENCE, "baseline_source/path", "data/none.json", "data/none.json：读不出来：找不到"),
    *([(SEQUENCE, "baseline_source/path", "a" * 5000, "读不出来：文件名太长")] if os.name != "nt" else []),
    (SEQUENCE, "baseline_source/field", "none", '缺少字段 "none"'),
    (SEQUENCE, "baseline_source/sha256", "0" * 64, "nnlm-data.json：sha256 是 "),
    (SEQUENCE, "gradient/factors", [0.5, 2], "/gradient/factors：应为 [0.5, 1.5]"),
    (SEQUENCE, "gradient/loss", "x", "/gradient/loss：应为"),
    (SEQUENCE, "gradient/weight", None, "/gradient/weight：应为数，实为 null"),
    (SEQUENCE, "gradient/inputs", [], "/gradient/inputs：应有 1 至 64 个数，实有 0"),
    (SEQUENCE, "gradient/distances/0", -1, "/gradient/distances/0：应为 0 至 2000 的整数"),
    (SEQUENCE, "gradient", 1, "/gradient：应为对象，实为 1"),
    (SEQUENCE, "gates/lstm/forget", 1.1, "/gates/lstm/forget：应为门值，在 0 与 1 之间，实为 1.1"),
    (SEQUENCE, "gates/gru/reset", "-1/2", "/gates/gru/reset：应为门值"),
    (SEQUENCE, "gates/lstm/candidate", None, "/gates/lstm/candidate：应为数，实为 null"),
    (SEQUENCE, "gates/gru", {}, '/gates/gru：缺少字段 "update_retains_old"'),
    (SEQUENCE, "translation/vocabulary/1", "绿色", "/translation/vocabulary：第 13 章的词应为 红色、蓝色、钥匙、。"),
    (SEQUENCE, "translation/candidates", ["blue", "red", "key", "door", ".", "EOS"], "/translation/candidates：第 13"),
    (SEQUENCE, "translation/start", "EOS", '/translation/start：应为 "BOS"'),
    (SEQUENCE, "translation/end", "BOS", '/translation/end：应为 "EOS"'),
    (SEQUENCE, "translation/embedding_in_units_of_ln2/0", [1], "/translation/embedding_in_units_of_ln2/1：应有 1 个数"),
    (SEQUENCE, "translation/recurrent_weight", [[1, 0]], "/translation/recurrent_weight：应有 2 行，实有 1"),
    (SEQUENCE, "translation/source_ids/0", 4, "/translation/source_ids/0：应为 0 至 3 的整数"),
    (SEQUENCE, "translation/contrast_source_ids", [], "/translation/contrast_source_ids：应有 1 至 2000 个 ID，实有 0"),
    *[(SEQUENCE, "translation/target", target, "/translation/target：") for target in (
        ["red", "key"], ["EOS", "red"], ["red", "EOS", "EOS"], ["green", "EOS"], ["EOS"])],
    (SEQUENCE, "translation/max_steps", 0, "/translation/max_steps：应为 1 至 2000 的整数"),
    (SEQUENCE, "translation/conditional_rows/BOS/0", 0.5, "/translation/conditional_rows/BOS：应为概率"),
    (SEQUENCE, "translation/conditional_rows/red", [0, 0, 1.2, -0.2, 0, 0], "conditional_rows/red：应为概率"),
    (SEQUENCE, "translation/conditional_rows/key", [1, 0, 0, 0, 0], "/translation/conditional_rows/key：应有 6 个数"),
    (SEQUENCE, "translation/conditional_rows", {"BOS": [1, 0, 0, 0, 0, 0]}, 'conditional_rows：缺少字段 "red"'),
    (SEQUENCE, "translation/source_ids", [0] * 1000, "/attention：算起来太久"),
    (SEQUENCE, "attention/score", "cosine", '/attention/score：应为 "unscaled dot product"'),
    (SEQUENCE, "attention/queries", [[1, 0]], "/attention/queries：应有 2 个查询，实有 1"),
    (SEQUENCE, "attention/queries/1", [0, 1, 0], "/attention/queries/1：应有 2 个数，实有 3"),
    (SEQUENCE, "attention/readout", [1], "/attention/readout：应有 2 个数，实有 1"),
    (SEQUENCE, "attention/deletion_indices/0", 3, "/attention/deletion_indices/0：应为 0 至 2 的整数"),
    (SEQUENCE, "attention/deletion_indices", [0, 2, 0], "/attention/deletion_indices/2：位置 0 重复了"),
    (SEQUENCE, "translation/source_ids", [0], "/attention/deletion_indices/0：源序列只有一个位置"),
    (SEQUENCE, "attention", 1, "/attention：应为对象，实为 1"),
    (COLLISION, "window_collision/vocabulary", ["blue", "red", "filler", "key", "is"],
     "/window_collision/vocabulary：与 data/part-iii/"),
    (COLLISION, "window_collision/prefix_ids/1/3", -1, "/window_collision/prefix_ids/1/3：应为 0 至 4 的整数"),
    (COLLISION, "window_collision/prefix_ids/1/3", "RAW2.0", "/window_collision/prefix_ids/1/3：应为 0 至 4 的整数"),
    (COLLISION, "window_collision/prefix_ids", [], "/window_collision/prefix_ids：应有 2 至 2000 个输入"),
    (COLLISION, "window_collision/target_ids", [0], "/window_collision/target_ids：应有 2 个目标"),
    (COLLISION, "window_collision/target_ids/1", 2, '/window_collision/target_ids/1："filler" 应为 blue'),
    (COLLISION, "window_collision/window", 0, "/window_collision/window：应为 1 至 2000 的整数"),
    (COLLISION, "window_collision/window", 3, "/rnn/window_weight：应有 6 行，实有 4"),
    (COLLISION, "window_collision/expected_contexts/1", [3, 3],
     "/window_collision/expected_contexts/1：应为同一个输入末尾的 2 个 ID：[3, 4]"),
    (COLLISION, "window_collision/expected_contexts/1/1", 5,
     "/window_collision/expected_contexts/1/1：应为 0 至 4 的整数"),
    (COLLISION, "window_collision/expected_contexts", [[3, 4]], "/expected_contexts：应有 2 个上下文"),
]


class Faults(Sandbox):
    """Every fault by itself."""

    def test_files(self) -> None:
        """A file that is broken as a whole."""
        for name in (SEQUENCE, COLLISION):
            for content, message in FILES:
                self.restore()
                self.put(name, content)
                fault = self.refusal()
                self.assertIn(message, str(fault))
                self.assertTrue(fault.file.endswith(name.split("/")[-1]), (name, content[:20]))

    def test_fields(self) -> None:
        """One wrong field."""
        for name, pointer, value, message in FIELDS:
            text = json.dumps(with_value(loaded(name), f"/{pointer}", value), ensure_ascii=False)
            if isinstance(value, str) and value.startswith("RAW"):  # a number as it is written
                text = text.replace(f'"{value}"', value[3:])
            self.restore()
            self.put(name, text.encode())
            with self.subTest(pointer=pointer, value=str(value)[:40]):
                self.assertIn(message, str(self.refusal()))

    def test_things_that_are_no_files(self) -> None:
        """A missing file, a folder, and what the system will not open (as root it opens all, so open() refuses)."""
        path = located(SEQUENCE, self.root)
        with mock.patch("builtins.open", side_effect=PermissionError(errno.EACCES, "x")):
            self.assertIn("读不出来：没有权限", str(self.refusal()))
        os.unlink(path)
        self.assertIn("读不出来：找不到", str(self.refusal()))
        os.mkdir(path)
        self.assertIn("应为文件，实为文件夹", str(self.refusal()))

    @unittest.skipUnless(hasattr(os, "mkfifo"), "needs named pipes")
    def test_pipe(self) -> None:
        """A named pipe would keep a reader waiting for ever."""
        path = located(SEQUENCE, self.root)
        os.unlink(path)
        os.mkfifo(path)
        self.assertIn("应为普通文件", str(self.refusal()))

    @unittest.skipIf(os.name == "nt", "needs symbolic links")
    def test_link_out_of_the_repository(self) -> None:
        """A link inside the repository that leads out of it is not followed."""
        with tempfile.TemporaryDirectory() as outside:
            os.symlink(outside, os.path.join(self.root, "data", "link"))
            data = loaded(SEQUENCE)
            data["baseline_source"]["path"] = "data/link/x.json"
            self.put(SEQUENCE, data)
            self.assertIn("应为仓库内", str(self.refusal()))

    def test_accepted(self) -> None:
        """A byte-order mark, and sections that no chapter has."""
        whole, data = bundle.load(self.root), loaded(SEQUENCE)
        self.put(SEQUENCE, b"\xef\xbb\xbf" + json.dumps({**data, "more": {"x": [0.8]}}).encode())
        self.assertEqual(bundle.load(self.root)._replace(inputs=[]), whole._replace(inputs=[]))


class Numbers(unittest.TestCase):
    """A number is the decimal that is written."""

    def test_exact(self) -> None:
        """0.1 is 1/10; a hundred digits and exponents of ±100 are still read."""
        values = {"0.1": Fraction(1, 10), "1e100": Fraction(10) ** 100, "-1E-100": -(Fraction(1, 10) ** 100),
                  "1" * 100: Fraction("1" * 100), "-3/8": Fraction(-3, 8), "007": Fraction(7), "-0": Fraction(0)}
        self.assertEqual({text: strict_json.rational(text) for text in values}, values)

    def test_a_known_number_of_rows_is_not_bounded(self) -> None:
        """A window of 501 tokens with two coordinates each has 1,002 rows of weights."""
        self.assertEqual(strict_json.Node([["0"]] * 1002, "x").matrix(1002, 1), [[0]] * 1002)

    def test_refused(self) -> None:
        """What is neither a JSON number nor a fraction of ASCII digits."""
        for text in (".5", "5.", "+1", "1 /2", "1/2/3", "0x1", "1e", "inf", "１", "1e101", "1e000000001", "--1",
                     "1/2e3"):
            with self.assertRaises(ValueError):
                strict_json.rational(text)


class Mutations(Sandbox):
    """1,000 seeded changes of texts and values: each one runs, or raises the one error with file and place."""

    def test_mutations(self) -> None:
        """Whatever is done to a file, load() returns or raises Refused."""
        dice = random.Random(2026)
        originals = {name: json.dumps(loaded(name), ensure_ascii=False).encode() for name in (SEQUENCE, COLLISION)}
        outcomes = {"runs": 0, "refused": 0}
        for turn in range(1000):
            name = dice.choice((SEQUENCE, COLLISION))
            value = spoiled(json.loads(originals[name]), dice)
            contents = {**originals, name: (value if isinstance(value, str) else json.dumps(value)).encode()}
            if name == COLLISION:
                sequence = json.loads(contents[SEQUENCE])
                sequence["baseline_source"]["sha256"] = hashlib.sha256(contents[COLLISION]).hexdigest()
                contents[SEQUENCE] = json.dumps(sequence).encode()

            def stored(path: str, most: int, contents: dict[str, bytes] = contents) -> bytes:
                relative = os.path.relpath(path, ROOT).replace(os.sep, "/")
                if relative not in contents:
                    raise Refused("读不出来：找不到", path)
                return contents[relative]

            with mock.patch.object(command, "read_bytes", stored):
                try:
                    bundle.load()
                    outcomes["runs"] += 1
                except Refused as fault:
                    outcomes["refused"] += 1
                    self.assertTrue(fault.file and "\n" not in str(fault), turn)
                    self.assertTrue(fault.place or "sha256" in fault.reason or "读不出来" in fault.reason
                                    or "UTF-8" in fault.reason or "嵌套" in fault.reason, (turn, str(fault)))
        self.assertGreater(min(outcomes.values()), 50, outcomes)
