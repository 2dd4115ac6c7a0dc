"""The grade scale that a new task starts with."""

# After the meaning of AToMiC's three grades (Yang et al., SIGIR 2023), in words of our own.
DEFAULT_GRADES = [
    {
        "grade": 0,
        "name": "Non-relevant",
        "text": "Has nothing to do with the topic, or would mislead its reader.",
    },
    {
        "grade": 1,
        "name": "Related",
        "text": "Fits the subject that the topic belongs to, but adds nothing to what the topic itself says.",
    },
    {
        "grade": 2,
        "name": "Relevant",
        "text": "Fits what the topic itself says and helps its reader to understand it.",
    },
]
