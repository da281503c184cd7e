"""The training side's commands of `attendant`. Heavy imports are inside the functions, so that `--help` is quick."""
