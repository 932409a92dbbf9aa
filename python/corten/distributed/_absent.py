# SPDX-License-Identifier: BSD-3-Clause
"""Names of parts of torch.distributed that libraries import and Corten does not have: classes that say so when they are used."""


def absent(part, *names):
    """A class for each name, which no object is of and none can be made of."""
    def refuse(cls, *args, **kwargs):
        raise RuntimeError(f"torch.distributed.{part}.{cls.__name__} is not there")
    return [type(name, (), {"__new__": refuse, "__doc__": "Not there.", "__module__": f"torch.distributed.{part}"}) for name in names]
