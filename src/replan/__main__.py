"""The command `python -m replan`, which is `replan`."""

from replan.cli import main

if __name__ == "__main__":
    main(prog_name="python -m replan")
