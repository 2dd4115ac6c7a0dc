"""What no assessor may see, and the pairs of the secret pool."""

SECRET = "Xenolith"
HIDDEN_SCORE = 0.7310585  # every raw score and every value of a measure
PAIRS = [("T1", f"{SECRET}-docno-1"), ("T1", f"{SECRET}-docno-2"), ("T2", f"{SECRET}-docno-1")]
