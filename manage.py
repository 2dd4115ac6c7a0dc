#!/usr/bin/env python
"""Django's command line, with Trackside's settings."""

import os
import sys
from contextlib import nullcontext

import pghistory
from django.core.management import execute_from_command_line

SITES = {"up", "demo"}  # what these start says itself who changes what

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")
    command = "".join(sys.argv[1:2])
    with nullcontext() if command in SITES else pghistory.context(command=command):
        execute_from_command_line(sys.argv)
