"""The teams that take part in the demo."""

TEAMS = {"harbour": "Harbour Lab", "meridian": "Meridian Search", "quill": "Quill and Sons"}
"""A team's short name, with which its run tags begin, and its name in words."""
