# SPDX-License-Identifier: BSD-3-Clause
"""Stores of torch.distributed: values, waiting, timeouts, and refused arguments."""
import os
import shutil
import subprocess
import sys
import threading
from datetime import timedelta

import pytest

import corten.distributed as dist


def raises(kind, text, function):
    with pytest.raises(kind) as caught:
        function()
    assert text in str(caught.value), str(caught.value)


def check_store(store, other):
    store.set("a", "x")
    assert other.get("a") == b"x" and store.num_keys() >= 1
    store.append("a", b"\0y")
    assert other.get("a") == b"x\0y"
    assert store.add("n", 3) == 3 and other.add("n", -5) == -2 and store.get("n") == b"-2" and store.add("n", 0) == -2
    assert store.compare_set("c", "", "1") == b"1" and other.compare_set("c", "1", "2") == b"2"
    assert store.compare_set("c", "1", "3") == b"2" and store.compare_set("none", "5", "6") == b"5"
    assert store.check(["a", "n"]) and not store.check(["a", "zzz"])
    count = store.num_keys()
    assert other.delete_key("c") and not store.delete_key("c") and store.num_keys() == count - 1
    store.set("empty", b"")
    assert other.get("empty") == b""
    big = bytes(range(256)) * 4096
    store.set("big", big)
    assert other.get("big") == big
    store.multi_set(["p", "q"], ["1", "2"])
    assert other.multi_get(["p", "q"]) == [b"1", b"2"]
    late = threading.Timer(0.2, lambda: other.set("late", "now"))
    late.start()
    store.wait(["late"], timedelta(seconds=60))
    assert store.get("late") == b"now"
    late.join()
    for i in range(300):
        store.set(f"key{i}", str(i))
    assert other.get("key299") == b"299"


def test_stores(tmp_path):
    server = dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=60))
    assert server.num_keys() == 1 and server.port > 0 and server.host == "127.0.0.1"
    client = dist.TCPStore("127.0.0.1", server.port, 1, False, timeout=timedelta(seconds=60))
    check_store(server, client)
    check_store(dist.PrefixStore("pre", client), dist.PrefixStore("pre", server))
    assert server.get("pre/a") == b"x\0y"
    check_store(dist.FileStore(str(tmp_path / "f"), 2), dist.FileStore(str(tmp_path / "f"), 2))
    hashed = dist.HashStore()
    check_store(hashed, hashed)
    check_store(dist.PrefixStore("a", dist.PrefixStore("b", hashed)), dist.PrefixStore("b/a", hashed))


def test_counters_reach_the_least_integer():
    for store in (dist.HashStore(), dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=30))):
        assert store.add("k", -2 ** 63) == -2 ** 63 and store.get("k") == b"-9223372036854775808"
        assert store.add("k", 0) == -2 ** 63
        store.set("w", str(2 ** 62))
        assert store.add("w", 2 ** 62) == -2 ** 63  # wraps around
        with pytest.raises(TypeError):
            store.add("k", 2 ** 63)


def test_stores_that_have_no_answer(tmp_path):
    server = dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=0.2))
    assert server.timeout == timedelta(seconds=0.2)
    with pytest.raises(dist.DistStoreError, match=r"wait timeout after \d+ms, keys: /x"):
        server.get("x")
    with pytest.raises(dist.DistStoreError, match="wait timeout after 100ms, keys: /x, /y"):
        server.wait(["x", "y"], timedelta(seconds=0.1))
    server.set("x", "1")  # the connection still works
    assert server.get("x") == b"1"
    server.set("t", "abc")
    with pytest.raises(dist.DistNetworkError, match="not a number"):
        server.add("t", 1)
    assert server.get("t") == b"abc"
    file = dist.FileStore(str(tmp_path / "f"), 1)
    file.set_timeout(timedelta(seconds=0.1))
    with pytest.raises(RuntimeError, match="Timeout waiting for key: no after"):
        file.get("no")
    with pytest.raises(dist.DistNetworkError, match=r"timed out after \d+ms while trying to connect to \(127.0.0.1, 1\)"):
        dist.TCPStore("127.0.0.1", 1, 1, False, timeout=timedelta(seconds=0.3))
    with pytest.raises(dist.DistNetworkError, match="EADDRINUSE"):
        dist.TCPStore("127.0.0.1", server.port, 1, True, timeout=timedelta(seconds=1))
    with pytest.raises(dist.DistStoreError, match="1/2 clients joined"):
        dist.TCPStore("127.0.0.1", 0, 2, True, timeout=timedelta(seconds=0.2))
    assert issubclass(dist.DistStoreError, dist.DistError) and issubclass(dist.DistError, RuntimeError)


def test_strangers_do_not_harm_a_store():
    import socket
    server = dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=30))
    for text in (b"GET / HTTP/1.1\r\n\r\n" * 4, b"CRT1" + b"\xff" * 60, b"CRT"):
        with socket.create_connection(("127.0.0.1", server.port)) as stranger:
            stranger.sendall(text)
    server.set("k", "v")
    assert server.get("k") == b"v"


HANDLER = """
import os, signal, sys
from datetime import timedelta
import corten.distributed as dist
for store in (dist.HashStore(), dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=20))):
    signal.signal(signal.SIGALRM, lambda *_: store.set("k", "v"))
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    assert store.get("k") == b"v"
print("fine")
"""


def test_a_signal_handler_may_use_the_store_that_is_waited_for():
    done = subprocess.run([sys.executable, "-c", HANDLER], capture_output=True, text=True, timeout=60)
    assert done.stdout == "fine\n", done.stderr


def test_what_a_store_does_not_take():
    store = dist.HashStore()
    raises(TypeError, "set(): incompatible function arguments.", lambda: store.set("k", 3))
    raises(TypeError, "compare_set(): incompatible function arguments.", lambda: store.compare_set("k", "", 3))
    raises(TypeError, "wait(): incompatible function arguments.", lambda: store.wait("abc", timedelta(seconds=0.1)))
    raises(TypeError, "wait(): incompatible function arguments.", lambda: store.wait([3], timedelta(seconds=0.1)))
    raises(TypeError, "__init__(): incompatible constructor arguments.", lambda: dist.PrefixStore("a", 3))
    raises(TypeError, "70000", lambda: dist.TCPStore("127.0.0.1", 70000, 1, True))
    assert store.num_keys() == 0
    raises(dist.DistNetworkError, "The client socket has timed out after 200ms while trying to connect to (nosuch.invalid, 29511).",
           lambda: dist.TCPStore("nosuch.invalid", 29511, 1, False, timeout=timedelta(seconds=0.2)))


LONELY = """
from datetime import timedelta
import corten.distributed as dist
try:
    dist.TCPStore("127.0.0.1", 40000, 1, False, timeout=timedelta(seconds=0.5))
except dist.DistNetworkError as error:
    print(error)
"""


def test_no_client_connects_to_itself():
    """A client whose local port equals the server's port must not connect to itself. Runs in a separate network namespace."""
    ports = "ip link set lo up && echo '40000 40001' > /proc/sys/net/ipv4/ip_local_port_range"
    if not shutil.which("unshare") or subprocess.run(["unshare", "-n", "sh", "-c", ports], capture_output=True).returncode:
        pytest.skip("needs network namespaces")
    done = subprocess.run(["unshare", "-n", "sh", "-c", f'{ports} && exec "$0" -c "$1"', sys.executable, LONELY],
                          capture_output=True, text=True, timeout=60)
    assert "timed out after 500ms" in done.stdout, done.stderr


def test_files_and_servers_that_are_left(tmp_path):
    path = str(tmp_path / "f")
    first = dist.FileStore(path, 2)
    first.set("a", "1")
    del first
    assert os.path.exists(path)  # one of two users has left
    second, third = dist.FileStore(path, 2), dist.FileStore(path, 2)
    assert third.get("a") == b"1"
    del second
    assert os.path.exists(path)  # `third` still has it open
    del third
    assert not os.path.exists(path)
    keep = dist.FileStore(path)
    keep.set("a", "1")
    del keep
    assert os.path.exists(path)
    one = dist.TCPStore("127.0.0.1", 0, None, True, multi_tenant=True, wait_for_workers=False)
    two = dist.TCPStore("127.0.0.1", one.port, None, True, multi_tenant=True, wait_for_workers=False)
    one.set("x", "1")
    port = one.port
    del one
    assert two.get("x") == b"1"
    with pytest.raises(dist.DistNetworkError, match="EADDRINUSE"):
        dist.TCPStore("127.0.0.1", port, None, True, wait_for_workers=False)
    with pytest.raises(NotImplementedError, match="give port 0"):
        dist.TCPStore("127.0.0.1", 0, None, True, master_listen_fd=3)
