"""The queue of each Celery task, the tasks that beat sends, and when an unfinished task is sent again."""

ROUTES = {
    "judges.try_*": {"queue": "trials"},  # one pair each; they must not wait behind jobs
    "judges.run_*": {"queue": "judges"},  # model work; sweeps and other short tasks must not wait behind it
    # These take minutes each; run checks and other kinds of work must not wait behind them.
    "evaluation.run_imports": {"queue": "imports"},
    "evaluation.run_scores": {"queue": "scores"},
    "evaluation.run_reports": {"queue": "reports"},
    "evaluation.run_operations": {"queue": "operations"},
    "evaluation.run_packings": {"queue": "operations"},
    "*.mail_*": {"queue": "mail"},
}
_SECONDS_BETWEEN = {
    "evaluation.sweep_runs": 30.0,
    # Each wakes a worker, which releases the claims of dead workers and claims pending work.
    "evaluation.run_imports": 10.0,
    "evaluation.run_scores": 10.0,
    "evaluation.run_reports": 10.0,
    "evaluation.run_operations": 10.0,
    "evaluation.run_packings": 10.0,
    "evaluation.mail_send": 60.0,
    "evaluation.mail_dates": 300.0,
    "evaluation.sweep_rates": 3600.0,
    "evaluation.sweep_bundles": 3600.0,
    "evaluation.sweep_reports": 600.0,
    "evaluation.sweep_pictures": 60.0,
    "judges.sweep_jobs": 10.0,
    "judges.sweep_shutdowns": 21600.0,
}
SCHEDULE = {
    task: {"task": task, "schedule": seconds, "options": {"expires": seconds}}
    for task, seconds in _SECONDS_BETWEEN.items()
}
# Transport options for Redis and Valkey.
REDELIVERY = {
    "visibility_timeout": 3600,  # seconds; a longer task runs twice
    # kombu sweeps every interval x throttle seconds; its default of 10 x 10 delays redelivery by 100 s.
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
}
