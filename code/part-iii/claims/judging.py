"""The verdicts on the chapters' claims, reached alike on what run.py computes and on what derive.py derives."""
from __future__ import annotations

from typing import Any

from claims import claims_11, claims_12, claims_13, claims_14
from support import verdicts

PRINTED = "data/part-iii/printed-v1.json"
ROOMS = {"chapter_11": claims_11, "chapter_12": claims_12, "chapter_13": claims_13, "chapter_14": claims_14}


def judged(by_chapter: dict[str, Any]) -> dict[str, Any]:
    """Return the results of each chapter with the verdicts on its claims behind them, in the ledger's order."""
    ledger = verdicts.claims(PRINTED)
    return {name: {**results, "claims": verdicts.judged(ROOMS[name], by_chapter, verdicts.of_chapter(ledger, name))}
            for name, results in by_chapter.items()}
