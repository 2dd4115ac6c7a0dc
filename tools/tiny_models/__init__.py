"""Trains the demo's tiny CLIP and tiny LLaVA."""
