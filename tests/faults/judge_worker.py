"""A worker for the queues of judges that also offers the slow encoder of these tests."""

from trackside.backends.registry import BACKENDS

SLOW = {"slow-counting": "tests.faults.slow_counting:SlowCounting"}
BATCH_SECONDS = "TRACKSIDE_TEST_BATCH_SECONDS"  # environment variable: seconds before each batch


def main() -> None:
    """Work on the queues that a job needs until killed."""
    from evaluation.config.celery import app

    BACKENDS.update(SLOW)
    app.worker_main(
        [
            "worker",
            "--pool=threads",
            "--concurrency=1",
            "--queues=default,judges",
            "--without-mingle",
            "--without-gossip",
        ]
    )


if __name__ == "__main__":
    main()
