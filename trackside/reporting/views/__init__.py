"""Views of a report's findings: sentences, the first page, files. They compute no statistics."""
