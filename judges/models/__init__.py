"""Models as assessors: judges, what they have encoded, their jobs on frozen pools, and what these cost."""

from judges.models.budget import Budget, LedgerEntry, Price
from judges.models.call import Call, CallState
from judges.models.canary import CanaryImage
from judges.models.embedding import Embedding, TextPieces
from judges.models.job import Job, JobState, Part, Side
from judges.models.judge import Judge
from judges.models.mapping import Mapping
from judges.models.prompt import Prompt
from judges.models.rate import Rate
from judges.models.request_file import FileState, RequestFile
from judges.models.shard import Shard

__all__ = [
    "Budget",
    "Call",
    "CallState",
    "CanaryImage",
    "Embedding",
    "FileState",
    "Job",
    "JobState",
    "Judge",
    "LedgerEntry",
    "Mapping",
    "Part",
    "Price",
    "Prompt",
    "Rate",
    "RequestFile",
    "Shard",
    "Side",
    "TextPieces",
]
