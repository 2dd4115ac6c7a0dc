"""The report: how far other qrels can replace people's."""
