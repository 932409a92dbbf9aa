# SPDX-License-Identifier: BSD-3-Clause
"""Starts the longest tests first, and reports tests that have been running for long.

pytest loads this for every run. The order matters for `make test`, where several workers share the tests: if a long test
started last, the other workers would be idle.
"""
import threading
import time


LONG = 30  # seconds between two lines about a running test


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes many seconds, so it starts before the others")
    config.pluginmanager.register(Watch(config))


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


class Watch:
    """Prints a line about each running test every LONG seconds."""

    def __init__(self, config):
        self.config, self.started, self.done = config, {}, threading.Event()

    def pytest_sessionstart(self):
        # Only in the controller of workers, since tests that fork need a single-threaded process.
        if self.config.pluginmanager.hasplugin("dsession"):
            threading.Thread(target=self.watch, daemon=True).start()

    def pytest_sessionfinish(self):
        self.done.set()

    def pytest_runtest_logstart(self, nodeid):
        self.started[nodeid] = [time.monotonic(), LONG]

    def pytest_runtest_logfinish(self, nodeid):
        self.started.pop(nodeid, None)

    def watch(self):
        while not self.done.wait(1):
            for nodeid, test in list(self.started.items()):
                if time.monotonic() - test[0] > test[1]:
                    self.config.get_terminal_writer().line(f"\n{test[1]} seconds so far: {nodeid}")
                    test[1] += LONG
