"""A chapter's results both ways, by the program and by the derivation, for the same data."""
from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import derive
import run
from chapters import chapter_11, chapter_12, chapter_13, chapter_14
from chapters.bundle import Bundle
from support import verdicts
from support.command import ROOT
from support.record import number


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
    return json.loads(json.dumps([sequence, collision], default=number))


CHAPTERS: dict[int, Any] = {11: chapter_11, 12: chapter_12, 13: chapter_13, 14: chapter_14}


def stepped(given: Bundle, chapter: int) -> Any:
    """Return the program's results of one chapter."""
    results, claims = CHAPTERS[chapter].results(given), run.CLAIMS[f"chapter_{chapter}"]
    whole = {"chapter_13": chapter_13.results(given), f"chapter_{chapter}": results}  # claims_14 looks at both
    reached = verdicts.judged_by_table(whole, claims.DECIDED, claims.UNDECIDED)
    return {**results, "claims": {claim: verdict for claim, (verdict, _) in reached.items()}}


def closed(given: Bundle, chapter: int) -> Any:
    """Return the derivation's results of one chapter."""
    return derive.chapter(chapter, *as_files(given))
