"""Gunicorn's settings under the path that units of earlier releases name."""

from evaluation.running.hosting.web_server import *  # noqa: F403
