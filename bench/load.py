"""A server under a steady load, and the processor time one request costs it."""

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import psutil

CONNECTIONS = 8


@dataclass(frozen=True)
class Request:
    path: str
    method: str = "GET"
    headers: dict = field(default_factory=dict)
    body: str = ""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@contextlib.contextmanager
def server(settings, environment):
    """The site's own server with these settings; yields (process, port) once it answers."""
    port = free_port()
    environment = {**os.environ, **environment, "DJANGO_SETTINGS_MODULE": settings, "PORT": str(port)}
    command = [sys.executable, "-m", "polyhedral_site"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield psutil.Process(process.pid), port
    finally:
        process.terminate()
        process.wait(10)


def send(connection, request):
    connection.request(request.method, request.path, body=request.body or None, headers=request.headers)
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise SystemExit(f"{request.method} {request.path} answered {response.status}, so nothing was measured.")
    return len(content)


def cost(process, port, request, seconds=3.0):
    """(processor milliseconds of the server per request, requests per second, bytes of the answer)."""
    connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for _ in range(CONNECTIONS)]
    size = [send(connection, request) for connection in connections for _ in range(5)][-1]
    before, begun = sum(process.cpu_times()[:2]), time.perf_counter()

    def work(connection):
        sent = 0
        while time.perf_counter() - begun < seconds:
            send(connection, request)
            sent += 1
        return sent

    with ThreadPoolExecutor(CONNECTIONS) as threads:
        sent = sum(threads.map(work, connections))
    spent, passed = sum(process.cpu_times()[:2]) - before, time.perf_counter() - begun
    for connection in connections:
        connection.close()
    return spent / sent * 1000, sent / passed, size
