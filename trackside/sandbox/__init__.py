"""Short-lived processes that read untrusted files under limits on memory, processor and wall time.

``evaluation.tracks.work.sandbox`` starts one and exchanges messages with it; this package runs inside,
without a database.
"""
