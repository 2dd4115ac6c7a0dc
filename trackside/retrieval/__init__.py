"""Baselines: runs of BM25 and of encoders over topics and documents of plain files."""
