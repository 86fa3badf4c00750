// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A pair of streams that carries a connection: a socket, a channel through another host, or a
 * command's input and output.
 *
 * @param input  from the host
 * @param output to the host
 * @param closer ends both, and wakes the threads that wait on them
 */
record DuplexStream(InputStream input, OutputStream output, AutoCloseable closer) {

    static DuplexStream of(Socket socket) throws IOException {
        return new DuplexStream(socket.getInputStream(), socket.getOutputStream(), socket);
    }

    static DuplexStream of(Process process) {
        return new DuplexStream(process.getInputStream(), process.getOutputStream(), () -> {
            process.getOutputStream().close();
            process.destroy();
        });
    }

    void close() {
        try {
            closer.close();
        } catch (Exception e) {
            // It is given up anyway: an error while closing it does not matter.
        }
    }
}
