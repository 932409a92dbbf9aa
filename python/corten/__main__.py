# SPDX-License-Identifier: BSD-3-Clause
"""`python -m corten`: runs a script written for PyTorch; see _run.py."""
from corten._run import main

main()
