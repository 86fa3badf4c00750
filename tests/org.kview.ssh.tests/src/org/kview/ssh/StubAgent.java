// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A program that greets like an agent and names its own process, so that tests can find it on the host. */
final class StubAgent {
    private static final String PROGRAM = """
            #!/usr/bin/python3 -IS
            # %s
            import os, struct, sys

            def number(field, value):
                return bytes([field << 3]) + varint(value)

            def varint(value):
                out = b''
                while value > 127:
                    out += bytes([value & 127 | 128])
                    value >>= 7
                return out + bytes([value])

            def block(field, data):
                return bytes([field << 3 | 2]) + varint(len(data)) + data

            def request_id(message):
                value = shift = 0
                for byte in message[1:]:
                    value |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        return value, message[1 + shift // 7] >> 3

            host = os.uname()
            root = os.geteuid() == 0
            able = block(1, b'probes') + number(2, root) + block(3, b'Needs root.') + number(4, 1)
            hello = (number(1, 1) + block(2, b'stub') + block(3, host.nodename.encode()) + block(4, host.release.encode())
                     + block(5, host.machine.encode()) + number(6, 1) + number(7, os.geteuid()) + block(9, able))
            processes = block(1, number(1, os.getpid()) + block(5, b'stub'))
            while True:
                head = sys.stdin.buffer.read(4)
                if len(head) < 4:
                    break
                message = sys.stdin.buffer.read(struct.unpack('<I', head)[0])
                answered, kind = request_id(message)
                body = block(3, hello) if kind == 2 else block(4, processes)
                reply = number(1, answered) + body
                sys.stdout.buffer.write(struct.pack('<I', len(reply)) + reply)
                sys.stdout.buffer.flush()
            """;

    private StubAgent() {
    }

    /** @param version part of its content, so that one agent differs from another */
    static Path write(Path folder, String version) throws IOException {
        Path file = folder.resolve("agent-" + version);
        Files.writeString(file, PROGRAM.formatted(version));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }
}
