"""The teams that take part in the demo."""

TEAMS = {"harbour": "Harbour Lab", "meridian": "Meridian Search", "quill": "Quill and Sons"}
"""A team's short name, the prefix of its run tags, to its display name."""

OWNERS = {"harbour": "Hanna Harbour", "meridian": "Mario Meridian", "quill": "Quentin Quill"}
"""The team's short name to the name of its owner."""
