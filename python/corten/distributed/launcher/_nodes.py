# SPDX-License-Identifier: BSD-3-Clause
"""Rendezvous of launchers on several machines: node ranks, failure notices and shutdown.

Launchers use a TCP store. Node 0 serves it with --rdzv-backend=static; with c10d, where all launchers are started by the
same command, the first launcher on the endpoint's machine does. All keys have the run id as prefix.
"""
import socket
import time
from datetime import timedelta
from typing import NamedTuple

from ..._missing import MissingFeature
from .._stores import PrefixStore, TCPStore
from ..elastic.rendezvous.api import (RendezvousClosedError, RendezvousConnectionError, RendezvousError, RendezvousParameters,
                                      RendezvousTimeoutError)

_EXIT_SECONDS = 300.  # how long the launcher with the store waits for the others at the end
_C10D_PORT = 29400


class NodeRanks(NamedTuple):
    """What the workers of this node need to know about an attempt."""
    node: int
    nodes: int
    first_rank: int
    world_size: int
    first_role_rank: int
    role_world_size: int


def _is_this_machine(host, local_addr):
    if host in ("localhost", "127.0.0.1", "::1", "0.0.0.0", "", socket.gethostname(), socket.getfqdn()) or host == local_addr:
        return True
    try:
        mine = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
        return any(info[4][0] in mine for info in socket.getaddrinfo(host, None))
    except OSError:
        return False


class Nodes:
    """This launcher's membership in the rendezvous."""

    def __init__(self, parameters: RendezvousParameters):
        if parameters.backend in ("etcd", "etcd-v2"):
            raise MissingFeature(f"torchrun --rdzv-backend={parameters.backend}", "use --rdzv-backend=c10d, which needs no server")
        if parameters.backend not in ("c10d", "static"):
            raise ValueError(f"The rendezvous backend '{parameters.backend}' is not registered. Did you forget to call `register`?")
        self._parameters, self._static = parameters, parameters.backend == "static"
        self._seconds = float(parameters.get("join_timeout", parameters.get("timeout", 900)))
        self.host, port = self._address()
        self._store, self._serves = self._open(port)
        self.port = self._store.port
        self._keys = PrefixStore(f"launcher/{parameters.run_id}", self._store)
        self._alone = parameters.max_nodes == 1
        self._count = 1

    def _address(self):
        text = self._parameters.endpoint
        host, _, port = text.rpartition(":") if ":" in text else (text, "", "29500" if self._static else str(_C10D_PORT))
        try:
            return host.strip("[]") or "localhost", int(port)
        except ValueError:
            raise ValueError(f"The port number of the rendezvous endpoint '{text}' must be an integer between 0 and 65536.") from None

    def _open(self, port):
        """Opens the store; returns (store, whether this process serves it)."""
        from .. import DistNetworkError
        limit = timedelta(seconds=float(self._parameters.get("read_timeout", 60)))
        host = "127.0.0.1" if self.host in ("localhost", "") else self.host
        if self._static:
            serves = self._parameters.get_as_int("rank", 0) == 0
            limit = timedelta(seconds=self._seconds)  # node 0 may start last
        else:
            serves = self._parameters.get_as_bool("is_host")
            serves = _is_this_machine(self.host, self._parameters.local_addr) if serves is None else serves
        try:
            if serves:
                try:
                    return TCPStore(host, port, None, True, limit, wait_for_workers=False), True
                except DistNetworkError:  # another launcher of this run on this machine has the port
                    if self._static:
                        raise
            return TCPStore(host, port, None, False, limit, wait_for_workers=False), False
        except DistNetworkError as error:
            raise RendezvousConnectionError(f"The connection to the C10d store has failed. {error}") from error

    def agree(self, attempt, nproc, role):
        """Waits for the other nodes of an attempt and returns this node's NodeRanks."""
        if self._alone:
            return NodeRanks(0, 1, 0, nproc, 0, nproc)
        keys, end = PrefixStore(str(attempt), self._keys), time.monotonic() + self._seconds
        if self._static:
            node, self._count = self._parameters.get_as_int("rank", 0), self._parameters.max_nodes
            if node >= self._count:
                raise ValueError(f"node rank {node} of {self._count} nodes")
        else:
            node = keys.add("arrived", 1) - 1
            self._count = self._close(keys, end) if node == 0 else int(self._get(keys, "closed", end))
            if node >= self._count:
                raise RendezvousClosedError(f"the rendezvous closed with {self._count} nodes before this node joined")
        keys.set(f"node{node}", f"{nproc} {role}")
        facts = [self._get(keys, f"node{i}", end).split(" ", 1) for i in range(self._count)]
        counts = [int(count) for count, _ in facts]
        same = [int(count) if its == role else 0 for count, its in facts]
        return NodeRanks(node, self._count, sum(counts[:node]), sum(counts), sum(same[:node]), sum(same))

    def _close(self, keys, end):
        """Run by the first node to arrive: waits for the others and announces the number of nodes."""
        most, least = self._parameters.max_nodes, self._parameters.min_nodes
        patience, enough = float(self._parameters.get("last_call_timeout", 30)), None
        while (count := keys.add("arrived", 0)) < most:
            now = time.monotonic()
            if count >= least:
                enough = now if enough is None else enough
                if now - enough >= patience:
                    break
            elif now > end:
                raise RendezvousTimeoutError(f"{count} of at least {least} nodes joined within {self._seconds:.0f} seconds")
            time.sleep(0.05)
        count = min(count, most)
        keys.set("closed", str(count))
        return count

    def _get(self, keys, key, end):
        while not keys.check([key]):
            if time.monotonic() > end:
                raise RendezvousTimeoutError(f"the other nodes did not join within {self._seconds:.0f} seconds")
            time.sleep(0.05)
        return keys.get(key).decode()

    def report(self, attempt, what):
        """Reports a failed worker to the other nodes; `what` is "restart" or "failed"."""
        if self._count > 1:
            self._keys.compare_set(f"{attempt}/news", "", what)

    def failure_report(self, attempt):
        """Returns what another node has reported in this attempt, or ""."""
        if self._count == 1:
            return ""
        try:
            return self._keys.get(f"{attempt}/news").decode() if self._keys.check([f"{attempt}/news"]) else ""
        except RuntimeError as error:
            raise RendezvousError(f"lost the connection to the launcher that serves the store: {error}") from error

    def leave(self):
        """Leaves the rendezvous; the launcher that serves the store waits for the others."""
        if self._count == 1:
            return
        try:
            self._keys.add("left", 1)
            end = time.monotonic() + _EXIT_SECONDS
            while self._serves and self._keys.add("left", 0) < self._count and time.monotonic() < end:
                time.sleep(0.05)
        except RuntimeError:
            pass  # the store has already closed
