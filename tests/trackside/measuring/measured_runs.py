"""Small runs and their values, for tests of measures."""

from typing import Any

from trackside.files import Qrels, Rankings
from trackside.measuring import evaluate

# trec_eval 9's measures that 10 did not change (10 rounds the recall points of iprec and 11pt_avg otherwise).
PEER_MEASURES = (
    "num_ret", "num_rel", "num_rel_ret", "map", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "ndcg_rel",
    "Rndcg", "binG", "G", "set_P", "set_recall", "set_F", "set_map", "set_relative_P", "utility",
    "num_nonrel_judged_ret", "P_1", "P_3", "recall_1", "recall_3", "ndcg_cut_1", "ndcg_cut_3", "map_cut_1",
    "map_cut_3", "success_1", "success_3", "relative_P_1", "relative_P_3", "Rprec_mult_0.20",
    "Rprec_mult_1.00", "Rprec_mult_1.40",
)  # fmt: skip


def value(run: dict[str, float], grades: dict[str, int], measure: str, **options: Any) -> float:
    """The value of one topic."""
    qrels = Qrels.from_dict({"t": grades})
    return float(evaluate([Rankings.from_dict({"t": run})], qrels, [measure], **options).values[0, 0, 0, 0])


def falling(docnos: str) -> dict[str, float]:
    """A run that ranks the letters in the order given."""
    return {docno: -float(rank) for rank, docno in enumerate(docnos)}


# One topic: a 2, b 1, c 0, d 2, e 0, f 1; the run has a x c b d y e. p = 0.8, highest grade 2.
GRADES = {"a": 2, "b": 1, "c": 0, "d": 2, "e": 0, "f": 1}
RUN = falling("axcbdye")
