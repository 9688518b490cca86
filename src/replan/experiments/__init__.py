"""The papers again, from one command: experiments, their results, statistics, plots and reports."""
