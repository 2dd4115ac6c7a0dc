"""Database models of judges, embeddings, jobs on frozen pools, mappings and costs."""

from judges.catalogue.models import Judge, Rate
from judges.grades.models import Mapping
from judges.jobs.calls import Call, CallState
from judges.jobs.canaries import CanaryImage
from judges.jobs.embeddings import Embedding, TextPieces
from judges.jobs.models import Job, Side
from judges.jobs.money import Budget, LedgerEntry, Price
from judges.jobs.shards import FileState, JobState, RequestFile, Shard, ShardContent
from judges.prompts.models import Prompt
from judges.trials.models import Comparison, Trial
