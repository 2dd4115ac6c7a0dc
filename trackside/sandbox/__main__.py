"""The sandbox process: `python -m trackside.sandbox ANSWERS REPORTS`, with the file as standard input.

The two arguments are the numbers of inherited pipes. The first message names the job and its limits.
"""

import os
import sys
from importlib import import_module

from trackside.errors import InputError
from trackside.sandbox.limits import OUT_OF_MEMORY, Limits, limit_first, limit_memory, peak_bytes
from trackside.sandbox.messages import Message, SandboxJob, receive, send

JOBS = ("check", "image", "records", "grades", "archive")  # modules below jobs
FURTHER = "_job"  # suffix of other jobs, which are named by their full module path
JOBS_PACKAGE = "trackside.sandbox.jobs"


def main(file_number: int, answers_number: int, reports_number: int) -> int:
    """Run the job on open files. An InputError is sent back as a message; other exceptions are raised."""
    with (
        os.fdopen(answers_number, "rb") as answers,
        os.fdopen(reports_number, "wb") as reports,
        os.fdopen(file_number, "rb", closefd=False) as file,
    ):
        start = receive(answers)
        if start is None or not (start.kind in JOBS or start.kind.endswith(FURTHER)):
            return 1
        limits = Limits(**start.values["limits"])
        limit_first(limits)
        work = import_module(f"{JOBS_PACKAGE}.{start.kind}" if start.kind in JOBS else start.kind)
        try:
            if hasattr(work, "prepare"):
                work.prepare()
            limit_memory(limits)
            work.run(SandboxJob(file, start.values["values"], start.content, answers, reports))
            send(reports, Message("done", {"peak_bytes": peak_bytes()}))
        except InputError as error:
            send(reports, Message("refused", {"text": str(error)}))
        except MemoryError:
            os._exit(OUT_OF_MEMORY)  # an ordinary exit may need more memory
    return 0


if __name__ == "__main__":
    sys.exit(main(0, int(sys.argv[1]), int(sys.argv[2])))
