#!/usr/bin/env python
"""Django's command line, with Trackside's settings."""

from evaluation.config.manage import main

if __name__ == "__main__":
    main()
