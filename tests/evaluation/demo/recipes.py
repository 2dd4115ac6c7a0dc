"""How long the tests train a CLIP."""

from evaluation.demo.models.tiny_clip import ClipTrainingSize

SHORT = ClipTrainingSize(pictures=160, steps=40, batch=32, merges=120)
LEAST = ClipTrainingSize(pictures=16, steps=2, batch=8, merges=10)
