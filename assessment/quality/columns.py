"""Numbers behind the figures of quality, read from PostgreSQL as arrays: 100 bytes less each than objects."""

from collections.abc import Sequence

import numpy as np
from django.db import connection

from trackside.arrays import Ints


def read_columns(names: Sequence[str], rest: str, parameters: Sequence[int | list[int]]) -> list[Ints]:
    """Return columns of type bigint as arrays, without a null.

    ``rest`` is the query from FROM on. PostgreSQL sends all rows as one value, in a tenth of the time of
    single rows.
    """
    packed = " || ".join(f"int8send({name})" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT string_agg({packed}, ''::bytea) {rest}", parameters)
        ((content,),) = cursor.fetchall()
    numbers = np.frombuffer(content or b"", dtype=">i8").reshape(-1, len(names))
    return list(numbers.T.astype(np.int64))
