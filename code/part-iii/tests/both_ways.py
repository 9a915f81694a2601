"""A chapter's results both ways, by the program and by the derivation, for the same data."""
from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import derive
from chapters import chapter_11, chapter_12, chapter_13, chapter_14
from chapters.bundle import Bundle
from support.command import ROOT
from support.record import as_text
from tests.shared import judged


@cache
def given_files() -> tuple[Any, Any]:
    """Return what derive.py reads from the repository's two files."""
    sequence, chapter_10 = (derive.parsed(Path(ROOT, path).read_text(encoding="utf-8"), path)
                            for path in (derive.SEQUENCE, "data/part-ii/nnlm-data.json"))
    return sequence, chapter_10["window_collision"]


def as_files(data: Bundle) -> Any:
    """Return a bundle as derive.py reads it from the two files."""
    net, given = data.network, data.translation
    rnn = {**net._asdict(), "window_weight": data.window_weight,
           "short_inputs": [case.token_ids for case in data.short],
           "targets": [net.candidates.index(case.target) for case in data.short]}
    collision = {**given_files()[1], "vocabulary": net.vocabulary, "window": data.window,
                 "prefix_ids": [case.token_ids for case in data.long],
                 "target_ids": [net.vocabulary.index(case.target) for case in data.long]}
    encoder = {**given.encoder._asdict(), "embedding_in_units_of_ln2": given.encoder.embedding}
    translation = {**encoder, "source_ids": given.source, "contrast_source_ids": given.contrast, "target": given.target,
                   "candidates": given.candidates, "max_steps": given.limit, "conditional_rows": dict(given.rows)}
    attention = {"queries": data.attention.queries, "readout": data.attention.readout,
                 "deletion_indices": [position - 1 for position in data.attention.positions]}
    path = {**data.path._asdict(), "distances": data.distances}
    sequence = {"rnn": rnn, "gradient": path, "translation": translation, "attention": attention,
                "gates": {"lstm": data.lstm._asdict(), "gru": data.gru._asdict()}}
    return json.loads(json.dumps([sequence, collision], default=as_text))


CHAPTERS: dict[int, Any] = {11: chapter_11, 12: chapter_12, 13: chapter_13, 14: chapter_14}


def stepped(given: Bundle, chapter: int) -> Any:
    """Return the program's results of one chapter, with their verdicts."""
    return _judged({n: CHAPTERS[n].results(given) for n in {13, chapter}}, chapter)


def closed(given: Bundle, chapter: int) -> Any:
    """Return the derivation's results of one chapter, with their verdicts."""
    files = as_files(given)
    return _judged({n: derive.chapter(n, *files) for n in {13, chapter}}, chapter)


def _judged(results: dict[int, Any], chapter: int) -> Any:
    """Return a chapter with its verdicts; those of chapter 14 look at chapter 13, too."""
    by_chapter = {f"chapter_{n}": each for n, each in results.items()}
    return {**results[chapter], "claims": judged(by_chapter, f"chapter_{chapter}")}
