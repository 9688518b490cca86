"""What `docs/build.py` makes the site of: pages that stand in the repository, and pages made from the package."""
