"""The verdicts on the chapters' claims, reached alike on what run.py computes and on what derive.py derives."""
from __future__ import annotations

from collections import ChainMap
from typing import Any

from claims import claims_11, claims_12, claims_13, claims_14
from support import verdicts

PRINTED = "data/part-iii/printed-v1.json"
ROOMS = {"chapter_11": claims_11, "chapter_12": claims_12, "chapter_13": claims_13, "chapter_14": claims_14}


def fields(by_chapter: Any, name: str) -> Any:
    """Return what the claims of a chapter look at: its results; chapter 14 also reads the encodings of chapter 13."""
    return ChainMap(by_chapter[name], by_chapter["chapter_13"]) if name == "chapter_14" else by_chapter[name]


def judged(by_chapter: dict[str, Any]) -> dict[str, Any]:
    """Return the results of each chapter with the verdicts on its claims behind them, in the ledger's order."""
    ledger = verdicts.claims(PRINTED)
    return {name: {**results, "claims": verdicts.judged(ROOMS[name], fields(by_chapter, name),
                                                        verdicts.of_chapter(ledger, name))}
            for name, results in by_chapter.items()}
