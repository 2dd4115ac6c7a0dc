"""Rows of every kind whose words assessors must never see: each such word begins with ``SECRET``."""
