"""Saving: copies and pickles go on as the original does, and damaged ones are refused."""
