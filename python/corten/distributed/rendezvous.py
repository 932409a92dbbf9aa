# SPDX-License-Identifier: BSD-3-Clause
"""Rendezvous: how processes find each other through a URL such as env:// or tcp://host:port."""
import os
from urllib.parse import parse_qsl, urlparse

from ._stores import FileStore, PrefixStore, TCPStore
from .constants import default_pg_timeout

__all__ = ["register_rendezvous_handler", "rendezvous"]

# Environment variables by launcher: torchrun, Open MPI, MPICH and Intel MPI, Slurm.
_RANKS = ("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID")
_SIZES = ("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")
LOCAL_RANKS = ("LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID")
_handlers = {}


def register_rendezvous_handler(scheme, handler):
    """Registers a handler for URLs scheme://...; handler(url, **kwargs) yields (store, rank, world_size)."""
    if scheme in _handlers:
        raise RuntimeError(f"Rendezvous handler for {scheme}:// already registered")
    _handlers[scheme] = handler


def rendezvous(url, rank=-1, world_size=-1, **kwargs):
    """Yields (store, rank, world_size) for a URL."""
    if not isinstance(url, (str, bytes)):
        raise RuntimeError(f"`url` must be a string. {type(url)}: {url}")
    if not isinstance(rank, int):
        raise RuntimeError(f"`rank` must be an integer. {rank}")
    if not isinstance(world_size, int):
        raise RuntimeError(f"`world_size` must be an integer. {world_size}")
    scheme = urlparse(url).scheme
    if scheme not in _handlers:
        raise RuntimeError(f"No rendezvous handler for {scheme}://")
    return _handlers[scheme](url, rank=rank, world_size=world_size, **kwargs)


def first_set(names):
    """Returns the value of the first of these environment variables that is set, or None."""
    return next((os.environ[name] for name in names if os.environ.get(name)), None)


def _error(scheme, text):
    return ValueError(f"Error initializing torch.distributed using {scheme}:// rendezvous: {text}")


def _query(url, rank, world_size):
    query = dict(parse_qsl(urlparse(url).query))
    return int(query.get("rank", rank)), int(query.get("world_size", world_size))


def _from_file(url, rank=-1, world_size=-1, **kwargs):
    parts = urlparse(url)
    if not parts.path:
        raise _error("file", "path missing")
    rank, world_size = _query(url, rank, world_size)
    if rank == -1:
        raise _error("file", "rank parameter missing")
    if world_size == -1:
        raise _error("file", "world size parameter missing")
    yield FileStore(parts.path, world_size), rank, world_size


def _from_tcp(url, rank=-1, world_size=-1, timeout=default_pg_timeout, **kwargs):
    parts = urlparse(url)
    if parts.port is None:
        raise _error("tcp", "port number missing")
    rank, world_size = _query(url, rank, world_size)
    if rank == -1:
        raise _error("tcp", "rank parameter missing")
    if world_size == -1:
        raise _error("tcp", "world size parameter missing")
    yield TCPStore(parts.hostname, parts.port, world_size, rank == 0, timeout), rank, world_size


def _from_environment(url, rank=-1, world_size=-1, timeout=default_pg_timeout, **kwargs):
    def need(names):
        value = first_set(names)
        if value is None:
            raise _error("env", f"environment variable {names[0]} expected, but not set")
        return value
    rank, world_size = _query(url, rank, world_size)
    rank = int(need(_RANKS)) if rank == -1 else rank
    world_size = int(need(_SIZES)) if world_size == -1 else world_size
    host, port = need(("MASTER_ADDR",)), int(need(("MASTER_PORT",)))
    if os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True":  # the launcher serves the store
        store = TCPStore(host, port, world_size, False, timeout, wait_for_workers=False)
        store = PrefixStore(f"/worker/attempt_{os.environ.get('TORCHELASTIC_RESTART_COUNT', 0)}", store)
    else:
        store = TCPStore(host, port, world_size, rank == 0, timeout)
    yield store, rank, world_size


register_rendezvous_handler("file", _from_file)
register_rendezvous_handler("tcp", _from_tcp)
register_rendezvous_handler("env", _from_environment)
