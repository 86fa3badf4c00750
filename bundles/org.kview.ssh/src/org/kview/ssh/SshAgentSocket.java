// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

import org.apache.sshd.agent.common.AbstractAgentProxy;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;

/** The user's ssh-agent. The library's own client needs native code for such sockets; Java has had them since 16. */
final class SshAgentSocket extends AbstractAgentProxy {
    private static final int MAX_REPLY_BYTES = 256 << 10;

    private final SocketChannel channel;

    /** @throws IOException if nobody listens there */
    SshAgentSocket(Path socket) throws IOException {
        super(null);
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException | IllegalArgumentException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    protected synchronized Buffer request(Buffer request) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request.array(), request.rpos(), request.available());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        int length = read(4).getInt();
        if (length < 1 || length > MAX_REPLY_BYTES) {
            throw new IOException("the SSH agent sent a reply of an impossible length, " + length);
        }
        return new ByteArrayBuffer(read(length).array());
    }

    private ByteBuffer read(int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("the SSH agent closed the connection");
            }
        }
        return bytes.flip();
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
