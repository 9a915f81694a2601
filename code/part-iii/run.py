"""Chapter 11 in code: take the bundle, step the recurrence, record, print.

chapters/recurrence.py has the two formulas, answers.py the exercises and repairs, claims_11.py the verdicts,
page_11.py the page. Every number is a fractions.Fraction; run.json has them in lowest terms. No weight is trained.
"""
import os.path
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # python3 -I leaves it out
if __name__ == "__main__":
    from support import start

    start.begin()

from fractions import Fraction
from typing import Any, Optional

from chapters import answers, claims_11, gradient, page_11
from chapters.recurrence import step_fields, steps
from support import bundle, command, digits, record, verdicts
from support.bundle import Bundle, Network

RECORD, PRINTED = "run.json", "data/part-iii/printed-v1.json"


def all_steps(net: Network, ids: list[int]) -> list[dict[str, Any]]:
    """Return every step of an input in the fields of the record. 表 11.2、表 11.3、例 11.2."""
    return [step_fields(net, step) for step in steps(net, ids)]


def table_row(data: Bundle, case: bundle.Case) -> dict[str, Any]:
    """Return a row of table 11.4: both methods on one long input."""
    rows = all_steps(data.network, case.ids)
    return {"color": case.target, "token_ids": case.ids,
            "window": answers.window_fields(data.network, case, data.window),
            "rnn": {"steps": rows, "choice": rows[-1]["choice"], "correct": rows[-1]["choice"] == case.target}}


def parameters(net: Network) -> dict[str, int]:
    """Return how many numbers the model has; the length of an input is not among what they depend on."""
    weights = (net.input_weight, net.recurrent_weight, net.output_weight)
    biases = len(net.hidden_bias) + len(net.output_bias)
    return {"weights_and_biases": sum(len(w) * len(w[0]) for w in weights) + biases,
            "embedding_values": len(net.embedding) * len(net.embedding[0])}


def worked_softmax(step: dict[str, Any]) -> Optional[dict[str, Any]]:
    """Return the exponential and the probability of the first candidate that the text works out for a step."""
    z = Fraction(step["logits"][0])
    return None if abs(z) > 100 else {"exponential": digits.exponential(z), "probability": step["probabilities"][0]}


def results(data: Bundle) -> dict[str, Any]:
    """Return everything that the chapter states and asks, computed."""
    net = data.network
    example = all_steps(net, data.short[0].ids)
    table = [table_row(data, case) for case in data.long]
    found: dict[str, Any] = {
        "parameters": parameters(net),
        "example_11_1": example,
        "example_11_2": all_steps(net, data.short[1].ids) if len(data.short) > 1 else None,
        "worked_softmax": worked_softmax(example[-1]),
        "short_windows": [
            {"color": case.target, "token_ids": case.ids, "window": answers.window_fields(net, case, data.window)}
            for case in data.short],
        "table_11_4": table,
        "boundary": answers.boundary(net, table),
        "exercise_1": answers.exercise_1(net),
        "exercise_2": answers.exercise_2(data),
        "exercise_3": answers.exercise_3(net),
        "carry_over": answers.carry_over(net),
        "order": answers.order(net),
        "leading_fillers": answers.leading_fillers(net),
        "binary_float": answers.binary_float(data),
        "repairs": answers.repairs(data),
        "gradient": gradient.fields(data.path),
    }
    found["claims"] = claims_11.verdicts(found)
    return found


def main(arguments: list[str]) -> int:
    """Write run.json, then print the chapter's tables."""
    data = bundle.load()
    texts = verdicts.texts(PRINTED)
    found = results(data)
    made = {"record": "part-iii-run-v1", "inputs": data.inputs, "results": found}
    command.write_text(command.located(RECORD), record.layout(made) + "\n")
    print("\n".join(page_11.lines(data, found, texts)))
    return 0


if __name__ == "__main__":
    if sys.argv[1:]:
        from chapters import experiment

        sys.exit(command.run(experiment.main))
    sys.exit(command.run(main))
