"""Read-only admin of prompts."""

from evaluation.web.admin.base import register_table
from judges.prompts.models import Prompt

register_table(Prompt, "name track version answer text_sha256 source created_at created_by", search="name")
