#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A client of memcached that knows every answer: several connections, each with its own keys, and one
counter that all of them raise. Checks each answer and prints what is in the server at the end, which does not depend on the
scheduler.

    memcached_load.py PORT-FILE PID OPERATIONS
"""

import os
import random
import re
import socket
import sys
import threading
import time

CONNECTIONS = 8


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.stream = self.socket.makefile("rwb")

    def ask(self, text):
        self.stream.write(text)
        self.stream.flush()
        return self.stream.readline().rstrip(b"\r\n").decode()

    def set(self, key, value):
        return self.ask(b"set %s 0 0 %d\r\n%s\r\n" % (key.encode(), len(value), value))

    def get(self, key):
        head = self.ask(b"get %s\r\n" % key.encode())
        if head == "END":
            return None
        size = int(head.split()[3])
        value = self.stream.read(size)
        self.stream.readline()
        assert self.stream.readline() == b"END\r\n"
        return value

    def stats(self):
        self.stream.write(b"stats\r\n")
        self.stream.flush()
        found = {}
        while (line := self.stream.readline()) != b"END\r\n":
            _, name, value = line.decode().split(None, 2)
            found[name] = value.strip()
        return found

    def meta(self, key):
        """A meta get: the value's size and flags, or None."""
        answer = self.ask(b"mg %s s f\r\n" % key.encode())
        return None if answer == "EN" else answer


def wait_for_port(path, pid):
    """The port that the server wrote down; it is alive until then."""
    while True:
        try:
            with open(path, encoding="ascii") as f:
                match = re.search(r"TCP INET: (\d+)", f.read())
            if match:
                return int(match.group(1))
        except FileNotFoundError:
            pass
        os.kill(pid, 0)
        time.sleep(0.01)


def work(port, number, operations, results):
    rng = random.Random(number)
    mine = {}
    for i in range(operations):
        if i % 2000 == 0:  # connections come and go
            client = Client(port)
        key = f"c{number}:{rng.randrange(500)}"
        what = rng.random()
        if what < 0.4:
            value = bytes([97 + i % 26]) * int(2 ** rng.uniform(0, 13))
            assert client.set(key, value) == "STORED"
            mine[key] = value
        elif what < 0.85:
            got = client.get(key)
            assert got == mine.get(key), (key, got)
        elif what < 0.92:
            assert client.ask(b"delete %s\r\n" % key.encode()) == ("DELETED" if key in mine else "NOT_FOUND")
            mine.pop(key, None)
        elif what < 0.96:
            more = b"+" * rng.randrange(1, 50)
            answer = client.ask(b"append %s 0 0 %d\r\n%s\r\n" % (key.encode(), len(more), more))
            assert answer == ("STORED" if key in mine else "NOT_STORED")
            if key in mine:
                mine[key] += more
        elif what < 0.98:
            assert int(client.ask(b"incr counter 1\r\n")) > 0
            results["counter"][number] += 1
        else:
            assert (client.meta(key) is None) == (key not in mine)
    results["keys"][number] = mine


def main():
    path, pid, operations = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    port = wait_for_port(path, pid)
    client = Client(port)
    assert client.set("counter", b"0") == "STORED"
    results = {"counter": [0] * CONNECTIONS, "keys": [None] * CONNECTIONS}
    threads = [
        threading.Thread(target=work, args=(port, n, operations // CONNECTIONS, results)) for n in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):  # statistics are read while all of them change
        client.stats()
        client.ask(b"stats reset\r\n")
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    if None in results["keys"]:
        sys.exit("a connection got a wrong answer")
    assert client.get("counter") == str(sum(results["counter"])).encode()
    for keys in results["keys"]:
        for key, value in sorted(keys.items()):
            assert client.get(key) == value
            print(key, len(value), value[:1].decode())
    print("counter", sum(results["counter"]))


main()
