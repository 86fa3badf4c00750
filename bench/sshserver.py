# SPDX-License-Identifier: EPL-2.0
"""An SSH server on a loopback port, for measurements."""
import getpass
import os
import socket
import subprocess
import threading
import time


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """sshd with keys, a client configuration and a home folder below one folder."""

    def __init__(self, folder, mbit=0):
        self.port = free_port()
        for key in ("host", "id"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", os.path.join(folder, key)],
                           check=True)
        os.makedirs(os.path.join(folder, "home"))
        os.makedirs("/run/sshd", exist_ok=True)
        config = os.path.join(folder, "sshd.conf")
        with open(config, "w") as file:
            file.write("ListenAddress 127.0.0.1:%d\nHostKey %s/host\nAuthorizedKeysFile %s/id.pub\nPidFile none\n"
                       "StrictModes no\nUsePAM no\nSetEnv HOME=%s/home\nSubsystem sftp internal-sftp\n"
                       % (self.port, folder, folder, folder))
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", config], stderr=subprocess.DEVNULL)
        self.reached = throttled(self.port, mbit) if mbit else self.port
        with open(os.path.join(folder, "host.pub")) as key, open(os.path.join(folder, "known_hosts"), "w") as file:
            file.write("[127.0.0.1]:%d %s" % (self.reached, key.read()))
        self.config = os.path.join(folder, "config")
        with open(self.config, "w") as file:
            file.write("Host *\n IdentityFile %s/id\n IdentityAgent none\n UserKnownHostsFile %s/known_hosts\n"
                       " GlobalKnownHostsFile none\n" % (folder, folder))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                break
            except OSError:
                time.sleep(0.02)

    def target(self):
        return "%s@127.0.0.1:%d" % (getpass.getuser(), self.reached)


def throttled(port, mbit):
    """A relay that passes so many bits a second from the host."""
    listening = socket.create_server(("127.0.0.1", 0))
    bytes_a_second = mbit * 1e6 / 8

    def passes(source, sink, limit):
        begin, done = time.monotonic(), 0
        try:
            while data := source.recv(16384):
                sink.sendall(data)
                done += len(data)
                ahead = done / limit - (time.monotonic() - begin) if limit else 0
                if ahead > 0:
                    time.sleep(ahead)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def accept():
        while True:
            client, _ = listening.accept()
            host = socket.create_connection(("127.0.0.1", port))
            threading.Thread(target=passes, args=(client, host, 0), daemon=True).start()
            threading.Thread(target=passes, args=(host, client, bytes_a_second), daemon=True).start()
    threading.Thread(target=accept, daemon=True).start()
    return listening.getsockname()[1]
