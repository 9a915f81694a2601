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

import run
from chapters import bundle
from support import command, shapes
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
    (b" " * (64 << 20) + b"{}", "文件超过 64 MiB"),
    (b'{"a": "\xff"}', "第 8 个字节起不是 UTF-8"),
    (b"[]", "文件顶层：应为对象，实为 列表（0 项）"),
    (b"1", "文件顶层：应为对象，实为 1"),
    (b'{"a": ' + b"[" * 100_000, "嵌套太深"),
    (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "嵌套太深"),
    (b'{"baseline_source": 1, "window_collision": 1, "window_collision": 2}', '文件顶层：键 "window_collision" 重复了'),
]

WIDE, LONG = "1/" + "3" * 38, "7" * 19 + "/" + "9" * 21  # numbers of about forty digits
# File, place of the change, what is put there, and the essential part of the message.
FIELDS: list[tuple[str, str, Any, str]] = [
    (SEQUENCE, "rnn/output_bias/0", True, '/rnn/output_bias/0：应为数，或 "1/2" 这样的分数，实为 true'),
    (SEQUENCE, "rnn/output_bias/0", None, "实为 null"),
    *[(SEQUENCE, "rnn/recurrent_weight/0/0", text, '/rnn/recurrent_weight/0/0：应为数，或 "1/2" 这样的分数')
      for text in ("1_0/3", " 1/2 ", "１/２", "1/2e3", "1/-2", "+1", "", "nan", "1/2\n", None)],
    *[(SEQUENCE, "rnn/output_bias/0", f"RAW{name}", f"/rnn/output_bias/0：{name} 不是数")
      for name in ("NaN", "Infinity", "-Infinity")],
    (SEQUENCE, "rnn/output_bias/0", 'RAW{"a": 1, "a": 2}', '/rnn/output_bias/0：键 "a" 重复了'),
    *[(SEQUENCE, "rnn/recurrent_weight/0/0", value, '/rnn/recurrent_weight/0/0：应为数，或 "1/2" 这样的分数，实为 ')
      for value in ([1], {"1": 1}, False)],
    (SEQUENCE, "rnn/recurrent_weight/0/0", "1/0", "/rnn/recurrent_weight/0/0：分母为零"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "1" * 41, "数字超过 40 位"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", 10**40, "/rnn/recurrent_weight/0/0：数字超过 40 位"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW1e999999999", "/rnn/recurrent_weight/0/0：指数超出 ±40"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW1e-41", "指数超出 ±40"),
    (SEQUENCE, "rnn/recurrent_weight/0/0", "RAW0." + "1" * 40, "数字超过 40 位"),
    (SEQUENCE, "rnn/recurrent_weight", [[1, 0], [0]], "/rnn/recurrent_weight/1：应有 2 项，实有 1"),
    (SEQUENCE, "rnn/recurrent_weight", [[1, 0]], "/rnn/recurrent_weight：应有 2 项，实有 1"),
    (SEQUENCE, "rnn/input_weight", [[1, 0], [0, 1], [0, 0]], "/rnn/input_weight：应有 2 项，实有 3"),
    (SEQUENCE, "rnn/output_weight/0", [1, 0, 0], "/rnn/output_weight/0：应有 2 项，实有 3"),
    (SEQUENCE, "rnn/output_bias", [0], "/rnn/output_bias：应有 2 项，实有 1"),
    (SEQUENCE, "rnn/hidden_bias", [0, 0, 0], "/rnn/hidden_bias：应有 2 项，实有 3"),
    (SEQUENCE, "rnn/window_weight", [[1, 0], [0, 1]], "/rnn/window_weight：应有 4 项，实有 2"),
    (SEQUENCE, "rnn/initial", [0] * 9, "/rnn/initial：应有 1 至 8 项，实有 9"),
    (SEQUENCE, "rnn/initial", [], "/rnn/initial：应有 1 至 8 项，实有 0"),
    (SEQUENCE, "rnn/embedding/0", [0] * 9, "/rnn/embedding/0：应有 1 至 8 项，实有 9"),
    (SEQUENCE, "rnn/embedding/1", [0] * 3, "/rnn/embedding/1：应有 2 项，实有 3"),
    (SEQUENCE, "rnn/embedding", "x", '/rnn/embedding：应为列表，实为 "x"'),
    (SEQUENCE, "rnn/embedding", {"0": 1}, "/rnn/embedding：应为列表，实为 对象（1 个字段）"),
    *[(SEQUENCE, "rnn/vocabulary", words,
       '/rnn/vocabulary：应为 ["red", "blue", "filler", "key", "is"]（程序只按它计算）')
      for words in ([], ["red"] * 5, ["blue", "red", "filler", "key", "is"], "red", 5)],
    *[(SEQUENCE, "rnn/candidates", names, '/rnn/candidates：应为 ["red", "blue"]')
      for names in (["blue", "red"], ["red"], ["red", "blue", "key"], ["red", "red"])],
    (SEQUENCE, "rnn/short_inputs", [[0, 3, 4]], "/rnn/short_inputs：应有 2 至 16 项，实有 1"),
    (SEQUENCE, "rnn/short_inputs", [[0, 3, 4]] * 17, "/rnn/short_inputs：应有 2 至 16 项，实有 17"),
    (SEQUENCE, "rnn/targets", [0, 0], "/rnn/targets/1：应为 1（程序只按它计算），实为 0"),
    (SEQUENCE, "rnn/targets", [0, 1, 1], "/rnn/targets：应有 2 项，实有 3"),
    (SEQUENCE, "rnn/targets/0", 2, "/rnn/targets/0：应为 0（程序只按它计算），实为 2"),
    (SEQUENCE, "rnn/selection", "lowest logit", '/rnn/selection：应为 "argmax; first candidate wins ties"'),
    (SEQUENCE, "rnn/short_inputs/0", [0] * 2001, "/rnn/short_inputs/0：应有 1 至 2000 项，实有 2001"),
    (SEQUENCE, "rnn/short_inputs/0", [0], "/rnn/short_inputs/0：应有 2 至 2000 项，实有 1"),
    *[(SEQUENCE, "rnn/short_inputs/0/1", value, "/rnn/short_inputs/0/1：应为 0 至 4 的整数")
      for value in (-1, 5, "RAW1.0", "1", True, None, "RAW1e0")],
    (SEQUENCE, "rnn/short_inputs/0/1", "RAW1.5", "/rnn/short_inputs/0/1：应为 0 至 4 的整数，实为 1.5"),
    (SEQUENCE, "rnn", [], "/rnn：应为对象，实为 列表（0 项）"),
    (SEQUENCE, "rnn", {**loaded(SEQUENCE)["rnn"], "recurrent_weight": [[WIDE, LONG], [LONG, WIDE]],
                       "short_inputs": [[0] * 2000] * 2}, "/rnn：算起来太久，约要 "),
    *[(SEQUENCE, f"baseline_source/{name}", value, f'/baseline_source/{name}：应为 "') for name, value in (
        ("path", "/etc/passwd"), ("path", "data/../../x"), ("path", "data/part-ii"), ("path", 1), ("field", "none"))],
    (SEQUENCE, "baseline_source/sha256", "0" * 64, "nnlm-data.json：sha256 是 "),
    (SEQUENCE, "baseline_source/sha256", 1, "/baseline_source/sha256：应为文字，实为 1"),
    (SEQUENCE, "gradient/factors", [0.5, 2], "/gradient/factors/1：应为 1.5（程序只按它计算），实为 2"),
    (SEQUENCE, "gradient/loss", "x", '/gradient/loss：应为 "0.5 * (last_state - target)^2"'),
    (SEQUENCE, "gradient/weight", None, "/gradient/weight：应为数，"),
    (SEQUENCE, "gradient/inputs", [], "/gradient/inputs：应有 1 至 64 项，实有 0"),
    (SEQUENCE, "gradient/inputs", [1] * 65, "/gradient/inputs：应有 1 至 64 项，实有 65"),
    (SEQUENCE, "gradient/inputs", [f"1/{10**38 + 3 * i}" for i in range(64)], "/gradient：算起来太久"),
    (SEQUENCE, "gradient/distances/0", -1, "/gradient/distances/0：应为 0 至 2000 的整数"),
    (SEQUENCE, "gradient", 1, "/gradient：应为对象，实为 1"),
    (SEQUENCE, "gates/lstm/forget", 1.1, "/gates/lstm/forget：应为门值，在 0 与 1 之间，实为 1.1"),
    (SEQUENCE, "gates/gru/reset", "-1/2", "/gates/gru/reset：应为门值"),
    (SEQUENCE, "gates/lstm/candidate", None, "/gates/lstm/candidate：应为数，"),
    (SEQUENCE, "gates/gru", {}, '/gates/gru：缺少字段 "previous_hidden"'),
    (SEQUENCE, "translation/vocabulary/1", "绿色", '/translation/vocabulary：应为 ["红色", "蓝色", "钥匙", "。"]'),
    (SEQUENCE, "translation/candidates/0", "blue", '/translation/candidates：应为 ["red", "blue"'),
    (SEQUENCE, "translation/start", "EOS", '/translation/start：应为 "BOS"'),
    (SEQUENCE, "translation/end", "BOS", '/translation/end：应为 "EOS"'),
    (SEQUENCE, "translation/embedding_in_units_of_ln2/0", [1], "/translation/embedding_in_units_of_ln2/1：应有 1 项"),
    (SEQUENCE, "translation/recurrent_weight", [[1, 0]], "/translation/recurrent_weight：应有 2 项，实有 1"),
    (SEQUENCE, "translation/source_ids/0", 4, "/translation/source_ids/0：应为 0 至 3 的整数"),
    (SEQUENCE, "translation/contrast_source_ids", [], "/translation/contrast_source_ids：应有 1 至 64 项，实有 0"),
    *[(SEQUENCE, "translation/target", target, "/translation/target：") for target in (
        ["red", "key"], ["EOS", "red"], ["red", "EOS", "EOS"], ["green", "EOS"], ["EOS"])],
    (SEQUENCE, "translation/max_steps", 0, "/translation/max_steps：应为 1 至 2000 的整数"),
    (SEQUENCE, "translation/conditional_rows/key", [1, 0, 0, 0, 0], "/translation/conditional_rows/key：应有 6 项"),
    (SEQUENCE, "translation/conditional_rows", {"BOS": [1, 0, 0, 0, 0, 0]}, 'conditional_rows：缺少字段 "red"'),
    (SEQUENCE, "attention/score", "cosine", '/attention/score：应为 "unscaled dot product"'),
    (SEQUENCE, "attention/queries", [[1, 0]], "/attention/queries：应有 2 项，实有 1"),
    (SEQUENCE, "attention/queries/1", [0, 1, 0], "/attention/queries/1：应有 2 项，实有 3"),
    (SEQUENCE, "attention/readout", [1], "/attention/readout：应有 2 项，实有 1"),
    (SEQUENCE, "attention/deletion_indices/0", 3, "/attention/deletion_indices/0：应为 0 至 2 的整数"),
    (SEQUENCE, "translation/source_ids", [0], "/attention/deletion_indices/1：应为 0 至 0 的整数"),
    (SEQUENCE, "attention", 1, "/attention：应为对象，实为 1"),
    (COLLISION, "window_collision", None, "/window_collision：应为对象，实为 null"),
    (COLLISION, "window_collision/vocabulary/0", "blue", '/window_collision/vocabulary：应为 ["red", "blue"'),
    (COLLISION, "window_collision/prefix_ids/1/3", -1, "/window_collision/prefix_ids/1/3：应为 0 至 4 的整数"),
    (COLLISION, "window_collision/prefix_ids/1/3", "RAW2.0", "/window_collision/prefix_ids/1/3：应为 0 至 4 的整数"),
    (COLLISION, "window_collision/prefix_ids", [], "/window_collision/prefix_ids：应有 2 至 16 项"),
    (COLLISION, "window_collision/target_ids", [0], "/window_collision/target_ids：应有 2 项"),
    (COLLISION, "window_collision/target_ids/1", 2, "/window_collision/target_ids/1：应为 1（程序只按它计算）"),
    (COLLISION, "window_collision/window", 0, "/window_collision/window：应为 1 至 64 的整数"),
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
            if isinstance(value, str) and value.startswith("RAW"):  # what is no text
                text = text.replace(json.dumps(value), value[3:])
            self.restore()
            self.put(name, text.encode())
            with self.subTest(pointer=pointer, value=str(value)[:40]):
                self.assertIn(message, str(self.refusal()))

    def test_what_the_algorithm_refuses(self) -> None:
        """A score that is too large, of any read of the chapter, rows that are no probabilities, and a read of nothing
        are refused with the file and the section.
        """
        sequence, large = loaded(SEQUENCE), "/attention：有一个分数超出 ±1000·ln 2"
        single = with_value(with_value(sequence, "/translation/source_ids", [0]), "/attention/deletion_indices", [0])
        for data, message in (
                (with_value(sequence, "/attention/queries/0", [1001, 0]), large),
                (with_value(sequence, "/attention/queries/1", [0, -1001]), large),
                (with_value(sequence, "/translation/initial", [999, 1]), large),
                (single, "/attention：一个位置也没有"),
                (with_value(sequence, "/translation/conditional_rows/BOS/0", 0.5), "/translation：BOS 一行应是 6 个"),
                (with_value(sequence, "/translation/conditional_rows/red", [0, 0, 1.2, -0.2, 0, 0]),
                 "/translation：red 一行应是 6 个不是负数的概率，和是 1")):
            self.put(SEQUENCE, data)
            with self.assertRaisesRegex(Refused, f"{SEQUENCE}：{message}"):
                run.results(bundle.load(self.root))

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
        self.assertIn("应为文件，实为文件夹或别的东西", str(self.refusal()))

    def test_accepted(self) -> None:
        """A byte-order mark, and what the book's own two files have besides: words, lists and null beside and in our
        sections, chapter 10's vocabularies and training data, keys in another order.
        """
        whole, data, chapter_10 = bundle.load(self.root), loaded(SEQUENCE), loaded(COLLISION)
        more = {"seed": None, "as_of": "2026-09-12", "query_status": "supplied", "tokenizer": "explicit", "more": [0.8]}
        collision = {"train": [["beijing", "lodging", "600"]], "input_vocabulary": ["EOS", "beijing"], "epochs": 400}
        self.put(COLLISION, json.dumps({**collision, **dict(reversed(list(chapter_10.items()))), **more}).encode())
        data = {**loaded(located(SEQUENCE, self.root)), **more}
        sections = {name: {**section, **more} if isinstance(section, dict) else section
                    for name, section in reversed(list(data.items()))}
        self.put(SEQUENCE, b"\xef\xbb\xbf" + json.dumps(sections).encode())
        self.assertEqual(bundle.load(self.root)._replace(inputs=[]), whole._replace(inputs=[]))

    def test_at_the_bounds(self) -> None:
        """What the README bounds is taken up to the bound, on either side."""
        words, gone, eight = "translation/source_ids", "attention/deletion_indices", [[0] * 8] * 8
        for changes in (
                {words: [0], gone: [], "translation/contrast_source_ids": [3] * 64, "translation/max_steps": 1},
                {words: [3] * 64, gone: [63], "translation/max_steps": 2000}, {"rnn/short_inputs/0": [4] * 2000},
                {"rnn/short_inputs": [[0, 4]] * 16, "rnn/targets": [0, 1] * 8}, {"gradient/inputs": [1]},
                {"rnn/embedding": eight[:5], "rnn/initial": eight[0], "rnn/input_weight": eight,
                 "rnn/hidden_bias": eight[0], "rnn/recurrent_weight": eight, "rnn/output_weight": [[0, 1]] * 8,
                 "rnn/window_weight": eight * 2}, {"gradient/inputs": [1] * 64, "gradient/distances": [0, 2000]},
                {"gates/lstm/forget": 0, "gates/lstm/input": 1, "gates/gru/reset": 1},
                {"translation/target": ["."] * 63 + ["EOS"]}, {"attention/queries": [[1000, 0], [0, -1000]]}):
            content = loaded(SEQUENCE)
            for pointer, value in changes.items():
                content = with_value(content, f"/{pointer}", value)
            self.put(SEQUENCE, content)
            self.assertIsInstance(bundle.load(self.root), bundle.Bundle, changes)
        section = {**loaded(COLLISION)["window_collision"], "window": 64, "prefix_ids": [[2] * 64] * 16,
                   "target_ids": [0, 1] * 8}
        self.put(COLLISION, {"window_collision": section})
        content = with_value(loaded(located(SEQUENCE, self.root)), "/rnn/short_inputs", [[0] * 64] * 2)
        self.put(SEQUENCE, with_value(content, "/rnn/window_weight", [[0, 1]] * 128))
        self.assertEqual(len(bundle.load(self.root).long), 16)


class Numbers(unittest.TestCase):
    """A number is the decimal that is written."""

    def test_exact(self) -> None:
        """0.1 is 1/10; forty digits and exponents of ±40 are still read."""
        values = {"0.1": Fraction(1, 10), "1e40": Fraction(10) ** 40, "-1E-40": -(Fraction(1, 10) ** 40),
                  "1" * 40: Fraction("1" * 40), "-3/8": Fraction(-3, 8), "007": Fraction(7), "-0": Fraction(0)}
        self.assertEqual({text: shapes.rational(text) for text in values}, values)

    def test_refused(self) -> None:
        """What is neither a JSON number nor a fraction of ASCII digits."""
        for text in (".5", "5.", "+1", "1 /2", "1/2/3", "0x1", "1e", "inf", "１", "1e41", "1e000000001", "--1",
                     "1/2e3", "1" * 41, "1/" + "1" * 40):
            with self.assertRaises(ValueError):
                shapes.rational(text)


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

            def stored(path: str, contents: dict[str, bytes] = contents) -> bytes:
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
                    self.assertTrue(fault.place or "sha256" in fault.reason, (turn, str(fault)))
        self.assertGreater(min(outcomes.values()), 50, outcomes)
