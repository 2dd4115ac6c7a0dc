"""The results of a report as frozen dataclasses, one a question, and the statistics behind them."""
