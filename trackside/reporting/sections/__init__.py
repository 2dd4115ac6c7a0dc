"""The sections behind a report's first page, by question: each has a sentence, a figure and tables."""
