"""The names of the built-in measures, which `tools/measures.py` wrote."""

NAMES = (
    "AP", "AP11", "DCG", "ERR", "G", "GMAP", "GMbpref", "IPrec@x", "Judged@k", "NumNonrelJudgedRet", "NumQ",
    "NumRel", "NumRelRet", "NumRet", "P@k", "R@k", "RBP", "RBPresidual", "RBPunjudged", "RR", "Rndcg",
    "Rprec", "RprecMult@x", "SetAP", "SetF", "SetP", "SetR", "SetRelP", "Success@k", "Utility", "YAAP",
    "binG", "bpref", "iDCG", "iNumRel", "iNumRelRet", "iP@k", "infAP", "infNDCG", "mAP@R", "meanRall",
    "meanRbest", "medRall", "medRbest", "nDCG", "nDCGrel", "relP@k", "unj@k", "xinfAP",
)  # fmt: skip
