"""Clients of the HTTP service, in a process of their own.

load.py PORT CLIENTS REQUESTS_PER_CLIENT ACCOUNTS_PER_CLIENT LONGEST_PAUSE_MICROS LIMIT_SECONDS

Each client is a thread with one connection to 127.0.0.1, and pauses after each request. What they
ask for and how long they pause is the same every time. Prints the number of answers and the
checksum of all; ends with 1 on any answer but "200 OK", and by a signal at the time limit.
"""
import os
import signal
import socket
import sys
import threading
import time
import zlib

PORT, CLIENTS, REQUESTS, ACCOUNTS, LONGEST_PAUSE_MICROS, LIMIT_SECONDS = map(int, sys.argv[1:])
_MASK = (1 << 64) - 1

answers = [0] * CLIENTS
checksums = [0] * CLIENTS


def target(client, number):
    account = client * ACCOUNTS + number * 7 % ACCOUNTS
    kind = number % 10
    if kind == 9:
        return f"/statement?account={account}"
    if kind % 2:
        return f"/balance?account={account}"
    return f"/order?account={account}&item={(client + number) % 10}&quantity={1 + number % 29}"


def answer(connection, received):
    """The body of one answer, and what was received after it."""
    while b"\r\n\r\n" not in received:
        received += more(connection)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("ascii").split("\r\n")
    if not lines[0].startswith("HTTP/1.1 200 "):
        raise RuntimeError(lines[0])
    fields = {name.lower(): value.strip() for name, _, value in
              (line.partition(":") for line in lines[1:])}
    length = int(fields["content-length"])
    while len(body) < length:
        body += more(connection)
    return body[:length], body[length:]


def more(connection):
    received = connection.recv(65536)
    if not received:
        raise RuntimeError("the server has closed the connection")
    return received


def work(client):
    random = client * 7919 + 17
    with socket.create_connection(("127.0.0.1", PORT)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        received = b""
        for number in range(REQUESTS):
            connection.sendall(f"GET {target(client, number)} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                               .encode("ascii"))
            body, received = answer(connection, received)
            checksums[client] = zlib.crc32(body, checksums[client])
            answers[client] += 1
            random = (random * 1103515245 + 12345) & 0x7FFFFFFF
            time.sleep((random >> 8) % LONGEST_PAUSE_MICROS / 1e6)


def run(client):
    try:
        work(client)
    except (OSError, RuntimeError, KeyError, ValueError) as error:
        print(f"load.py: client {client}: {error}", file=sys.stderr, flush=True)
        os._exit(1)  # The others may wait for answers for ever.


signal.alarm(LIMIT_SECONDS)
threads = [threading.Thread(target=run, args=(client,)) for client in range(CLIENTS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
total = sum((2 * client + 1) * checksum for client, checksum in enumerate(checksums))
print(f"{sum(answers)} {total & _MASK:016x}")
