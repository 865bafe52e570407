"""Ports for tests: free now, and out of the way of other tests that run beside them."""

import os
import socket


def free_ports(count: int) -> int:
    """The first of some ports in a row that nobody uses.

    They lie below the range from which the system gives ports away, and each test process looks in
    a part of its own.
    """
    start = 20_000 + os.getpid() % 300 * 40
    for first in range(start, start + 40, count):
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first
    raise AssertionError(start)
