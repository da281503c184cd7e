"""A server that a load test started ends with it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

LOADTEST = """
import sys, time
from loadtests.server import free_port, running_command

ANSWERS_YES = '''
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Yes(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()

HTTPServer(("127.0.0.1", int(sys.argv[1])), Yes).serve_forever()
'''
port = str(free_port())
with running_command([sys.executable, "-c", ANSWERS_YES, port], {"ATTENDANT_HTTP_PORT": port}) as server:
    print(server.process.pid, flush=True)
    time.sleep(60)
"""


def test_a_load_test_that_is_ended_takes_its_server_along() -> None:
    test = subprocess.Popen([sys.executable, "-c", LOADTEST], stdout=subprocess.PIPE, text=True)
    assert test.stdout is not None
    server = Path(f"/proc/{int(test.stdout.readline())}")
    assert server.exists()
    test.send_signal(signal.SIGTERM)
    assert test.communicate(timeout=60) == ("", None)
    assert test.returncode == 128 + signal.SIGTERM
    assert not server.exists()
