"""A mail server for tests: it takes mail, refuses it, or says nothing."""

import contextlib
import email
import socketserver
import threading
from email import policy


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.calls += 1
        if self.server.silent:
            self.server.ended.wait(60)
            return
        self.say("220 test")
        with contextlib.suppress(OSError):
            while line := self.rfile.readline().decode().strip():
                self.answer(line[:4].upper())
                if line[:4].upper() == "QUIT":
                    return

    def say(self, line):
        self.wfile.write(f"{line}\r\n".encode())

    def answer(self, command):
        if command == "RCPT" and self.server.refusals:
            self.say(f"{self.server.refusals.pop(0)} not now")
        elif command == "DATA":
            self.say("354 go on")
            lines = iter(self.rfile.readline, b".\r\n")
            self.server.raw.append(b"".join(lines))
            self.server.mails.append(email.message_from_bytes(self.server.raw[-1], policy=policy.default))
            self.say("250 taken")
        else:
            self.say("250 yes")


class MailServer(socketserver.ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True

    def __init__(self, silent, refusals):
        super().__init__(("127.0.0.1", 0), Conversation)
        self.silent, self.refusals = silent, list(refusals)
        self.mails, self.raw, self.calls, self.ended = [], [], 0, threading.Event()
        self.port = self.server_address[1]


@contextlib.contextmanager
def mail_server(silent=False, refusals=()):
    """Serves until the end of the block. It answers one recipient with each of `refusals`, then accepts all."""
    server = MailServer(silent, refusals)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
