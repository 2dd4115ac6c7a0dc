def silent(_done: int, _total: int, _text: str) -> None:
    """Progress callbacks that do nothing."""
