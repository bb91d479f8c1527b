#!/usr/bin/env python3
"""An extension server on loopback for tests: good answers and every kind of bad one.

usage: https_server.py FOLDER

Makes a certificate authority in FOLDER (ca.pem) with openssl, listens on 127.0.0.1,
prints its port, and answers by the first part of a path.  Each request is a line of
FOLDER/log: method, path, and what it was signed in with.  While FOLDER/down exists,
connections are closed before an answer.  Exit status 77: there is no openssl.
"""
import base64
import http.server
import json
import os
import shutil
import ssl
import subprocess
import sys
import time

FOLDER = sys.argv[1]


def path(name):
    return os.path.join(FOLDER, name)


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def make_certificates():
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", path("ca.key"), "-out", path("ca.pem"),
            "-days", "2", "-subj", "/CN=perfetty test authority")
    openssl("req", *key, "-keyout", path("server.key"), "-out", path("server.csr"),
            "-subj", "/CN=localhost")
    with open(path("names"), "w") as names:
        names.write("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    openssl("x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey",
            path("ca.key"), "-CAcreateserial", "-out", path("server.pem"), "-days", "2",
            "-extfile", path("names"))


def field(number, kind, payload):
    if kind == 0:
        return bytes([number << 3, payload])
    return bytes([number << 3 | 2, len(payload)]) + payload


def descriptors():
    """A FileDescriptorSet of one message, ex.Served."""
    message = field(1, 2, b"Served")
    file = field(1, 2, b"served.proto") + field(2, 2, b"ex") + field(4, 2, message)
    return base64.b64encode(field(1, 2, file)).decode()


GOOD = {
    "manifest": {"name": "Example", "namespace": "com.ex",
                 "features": [{"name": "macros"}, {"name": "sql_modules"},
                              {"name": "proto_descriptors"}],
                 "modules": [{"id": "a", "name": "Module A"}, {"id": "b", "name": "Module B"}]},
    "modules/a/macros": {"macros": [{"id": "com.ex.M", "name": "Served macro", "run": [
        {"id": "dev.perfetto.RunQuery", "args": ["SELECT 1"]}]}]},
    "modules/a/sql_modules": {"sql_modules": [
        {"name": "com.ex.t", "sql": "CREATE PERFETTO TABLE served AS SELECT 1 AS one;"}]},
    "modules/a/proto_descriptors": {"proto_descriptors": [descriptors()]},
    "modules/b/macros": {"macros": []},
    "modules/b/sql_modules": {"sql_modules": [
        {"name": "com.ex.u", "sql": "CREATE PERFETTO TABLE served_too AS SELECT 2 AS two;"}]},
    "modules/b/proto_descriptors": {"proto_descriptors": []},
}

ALLOWED = {
    "basic": ("Authorization", "Basic " + base64.b64encode(b"me:s3cret").decode()),
    "bearer": ("Authorization", "Bearer s3cret"),
    "key": ("X-API-Key", "s3cret"),
    "custom": ("X-Mine", "s3cret"),
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def note(self):
        with open(path("log"), "a") as log:
            signed = [k for k in ("Authorization", "X-API-Key", "X-Mine") if k in self.headers]
            log.write(f"{self.command} {self.path} {','.join(signed) or '-'}\n")

    def answer(self, status, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, to):
        self.answer(302, b"", [("Location", to)])

    def good(self, rest):
        if rest in GOOD:
            self.answer(200, json.dumps(GOOD[rest]).encode())
        else:
            self.answer(404, b"no")

    def do_GET(self):
        self.note()
        if os.path.exists(path("down")):
            self.close_connection = True
            return
        kind, _, rest = self.path[1:].partition("/")
        if kind in ALLOWED:
            name, value = ALLOWED[kind]
            self.good(rest) if self.headers.get(name) == value else self.answer(401, b"no")
        elif kind.isdigit():
            self.answer(int(kind), b"no")
        elif kind == "slow":
            time.sleep(13)
            self.close_connection = True
        elif kind == "huge":
            self.send_response(200)
            self.end_headers()
            for _ in range(17 * 16):
                self.wfile.write(b" " * 65536)
            self.close_connection = True
        elif kind == "hugelength":
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 40))
            self.end_headers()
            self.close_connection = True
        elif kind == "badjson":
            self.answer(200, b'{"name": "x",')
        elif kind == "badnames":
            answer = dict(GOOD[rest]) if rest in GOOD else {}
            if rest == "manifest":
                answer["namespace"] = "com.other"
            self.answer(200, json.dumps(answer).encode())
        elif kind == "cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"name": ')
            self.close_connection = True
        elif kind == "tohttp":
            self.redirect(f"http://localhost:{PORT}/good/{rest}")
        elif kind == "toloopback":
            self.redirect(f"https://127.0.0.1:{PORT}/good/{rest}")
        elif kind == "moved":
            self.redirect(f"/good/{rest}")
        elif kind == "ring":
            self.redirect(f"/ring/{rest}")
        else:
            self.good(rest)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


if not shutil.which("openssl"):
    sys.exit(77)
make_certificates()
server = Server(("127.0.0.1", 0), Handler)
PORT = server.server_address[1]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(path("server.pem"), path("server.key"))
server.socket = context.wrap_socket(server.socket, server_side=True,
                                    do_handshake_on_connect=False)
print(PORT, flush=True)
server.serve_forever()
