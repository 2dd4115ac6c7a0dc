"""Job of a sandbox: extract the files of an archive, one by one."""

from trackside.imports.archives import ArchiveUnreadable, members_of
from trackside.sandbox.messages import SandboxJob


def run(job: SandboxJob) -> None:
    """Report each file with its name, or the error.

    Values: most, the maximum size of a file in bytes; most_files, the maximum number of files.
    """
    for member in members_of(job.file, most=job.values["most_files"]):
        try:
            content = member.read(job.values["most"])
        except ArchiveUnreadable as error:
            job.report("unreadable", {"name": member.name, "text": str(error)})
        else:
            job.report("member", {"name": member.name}, content)
