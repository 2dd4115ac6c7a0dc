"""Models as assessors: judges, what they have encoded, and their jobs on frozen pools."""

from judges.models.call import Call, CallState
from judges.models.embedding import Embedding
from judges.models.job import Job, JobState, Side
from judges.models.judge import Judge
from judges.models.mapping import Mapping
from judges.models.shard import Shard

__all__ = ["Call", "CallState", "Embedding", "Job", "JobState", "Judge", "Mapping", "Shard", "Side"]
