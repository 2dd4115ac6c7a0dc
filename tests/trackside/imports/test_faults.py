from trackside.imports.faults import KINDS, ImportFault


def test_every_fault_has_words() -> None:
    assert set(KINDS) == set(ImportFault)
    assert all(kind.title and kind.cure for kind in KINDS.values())
