def silent(_done: int, _total: int, _text: str) -> None:
    """Progress that nobody sees."""
