"""The sections of the report, one module each: a function from the study to a ``Section``."""
