"""Which pairs people must still grade, and how sure the runs' values are meanwhile: see docs/loop.md."""
