"""Slow, obvious answers to check the fast ones against. Nothing here imports replan."""
