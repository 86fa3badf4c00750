// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Comparator;
import java.util.Map;

import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntry;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.future.ConnectFuture;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.Factory;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.io.DefaultIoConnectFuture;
import org.apache.sshd.common.io.IoAcceptor;
import org.apache.sshd.common.io.IoConnectFuture;
import org.apache.sshd.common.io.IoConnector;
import org.apache.sshd.common.io.IoHandler;
import org.apache.sshd.common.io.IoServiceEventListener;
import org.apache.sshd.common.io.IoServiceFactory;
import org.apache.sshd.common.io.IoServiceFactoryFactory;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.util.closeable.AbstractCloseable;
import org.apache.sshd.common.util.threads.CloseableExecutorService;

/**
 * The library's client over one {@link DuplexStream}. Alone, the library would reach a host behind jump hosts
 * through a port that it opens on this machine for everyone, and it does not support proxy commands.
 */
final class DuplexClient extends SshClient {
    private DuplexClient() {
    }

    static DuplexClient over(DuplexStream stream) {
        DuplexClient client = (DuplexClient) new ClientBuilder().factory(DuplexClient::new).build();
        client.setIoServiceFactoryFactory(new DuplexFactory(stream));
        // AES first: Java runs it in hardware from the first byte on. No CBC and no SHA-1, as with ssh.
        client.setCipherFactories(client.getCipherFactories().stream().filter(f -> !f.getName().endsWith("-cbc"))
                .sorted(Comparator.comparing(f -> !f.getName().contains("-gcm"))).toList());
        client.setMacFactories(client.getMacFactories().stream().filter(f -> !f.getName().contains("sha1")).toList());
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        return client;
    }

    /**
     * @param name of the host in its certificates; not looked up, because perhaps only a jump host knows it
     * @param user there
     */
    ConnectFuture connect(String name, int port, String user) throws java.io.IOException {
        HostConfigEntry entry = new HostConfigEntry("", name, port, user);
        entry.setIdentitiesOnly(true);
        return doConnect(user, InetSocketAddress.createUnresolved(name, port), null, null,
                KeyIdentityProvider.EMPTY_KEYS_PROVIDER, entry);
    }

    private record DuplexFactory(DuplexStream stream) implements IoServiceFactoryFactory {
        @Override
        public IoServiceFactory create(FactoryManager manager) {
            return new DuplexServices(stream);
        }

        @Override
        public void setExecutorServiceFactory(Factory<CloseableExecutorService> factory) {
            // Virtual threads need none.
        }
    }

    private static final class DuplexServices extends AbstractCloseable implements IoServiceFactory {
        private final DuplexStream stream;

        DuplexServices(DuplexStream stream) {
            this.stream = stream;
        }

        @Override
        public IoConnector createConnector(IoHandler handler) {
            return new DuplexConnector(stream, handler);
        }

        @Override
        public IoAcceptor createAcceptor(IoHandler handler) {
            throw new UnsupportedOperationException("nothing is forwarded");
        }

        @Override
        public IoServiceEventListener getIoServiceEventListener() {
            return null;
        }

        @Override
        public void setIoServiceEventListener(IoServiceEventListener listener) {
            // Nobody sets one.
        }
    }

    private static final class DuplexConnector extends AbstractCloseable implements IoConnector {
        private final DuplexStream stream;
        private final IoHandler handler;

        DuplexConnector(DuplexStream stream, IoHandler handler) {
            this.stream = stream;
            this.handler = handler;
        }

        @Override
        public IoConnectFuture connect(SocketAddress target, AttributeRepository context, SocketAddress local) {
            DefaultIoConnectFuture future = new DefaultIoConnectFuture(target, null);
            DuplexIoSession session = new DuplexIoSession(stream, this, handler,
                    InetSocketAddress.createUnresolved("localhost", 0), target);
            try {
                // Queues this side's greeting, which the writing thread finds when it starts.
                handler.sessionCreated(session);
                future.setSession(session);
                session.start();
            } catch (Exception e) {
                session.close(true);
                future.setException(e);
            }
            return future;
        }

        @Override
        public Map<Long, IoSession> getManagedSessions() {
            return Map.of();
        }

        @Override
        public IoServiceEventListener getIoServiceEventListener() {
            return null;
        }

        @Override
        public void setIoServiceEventListener(IoServiceEventListener listener) {
            // Nobody sets one.
        }
    }
}
