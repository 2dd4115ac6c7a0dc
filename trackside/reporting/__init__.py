"""The report: how far other qrels can replace people's.

``study`` holds the data as arrays, ``sections`` compute the findings of each question, and pages, files and
commands render these ``findings``.
"""
