"""What a task yields: qrels, values, reports, the pages of topics."""
