# SPDX-License-Identifier: BSD-3-Clause
"""torch.distributed.launch: the deprecated name of torchrun.

Scripts get the argument --local-rank=N unless --use-env is given.
"""
import warnings

from .run import get_args_parser, run

__all__ = ["launch", "main", "parse_args"]


def parse_args(args=None):
    """Parses a command line."""
    parser = get_args_parser()
    parser.add_argument("--use-env", "--use_env", action="store_true",
                        help="do not pass --local-rank=N to the script, which reads the variable LOCAL_RANK")
    return parser.parse_args(args)


def launch(args):
    """Runs the program that the parsed arguments name."""
    if args.no_python and not args.use_env:
        raise ValueError("When using the '--no-python' flag, you must also set the '--use-env' flag.")
    run(args)


def main(args=None):
    """The entry point of the command."""
    warnings.warn("The module torch.distributed.launch is deprecated\nand will be removed in future. Use torchrun.\nNote that --use-env "
                  "is set by default in torchrun.\nIf your script expects `--local-rank` argument to be set, please\nchange it to read "
                  "from `os.environ['LOCAL_RANK']` instead. See \nhttps://pytorch.org/docs/stable/distributed.html#launch-utility for "
                  "\nfurther instructions\n", FutureWarning, stacklevel=2)
    from .run import _exit_with
    _exit_with(launch, parse_args(args))


if __name__ == "__main__":
    main()
