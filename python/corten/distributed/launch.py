# SPDX-License-Identifier: BSD-3-Clause
"""The older name of run.py: the same, and always as with --use_env."""
from .run import main, parse_args, run

__all__ = ["main", "parse_args", "run"]

if __name__ == "__main__":
    main()
