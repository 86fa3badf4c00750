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
 * The library's client over one {@link ByteLink}. Alone, the library would reach a host behind jump hosts
 * through a port that it opens on this machine for everyone, and it does not support proxy commands.
 */
final class LinkClient extends SshClient {
    private LinkClient() {
    }

    static LinkClient over(ByteLink link) {
        LinkClient client = (LinkClient) new ClientBuilder().factory(LinkClient::new).build();
        client.setIoServiceFactoryFactory(new LinkFactory(link));
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

    private record LinkFactory(ByteLink link) implements IoServiceFactoryFactory {
        @Override
        public IoServiceFactory create(FactoryManager manager) {
            return new LinkServices(link);
        }

        @Override
        public void setExecutorServiceFactory(Factory<CloseableExecutorService> factory) {
            // Virtual threads need none.
        }
    }

    private static final class LinkServices extends AbstractCloseable implements IoServiceFactory {
        private final ByteLink link;

        LinkServices(ByteLink link) {
            this.link = link;
        }

        @Override
        public IoConnector createConnector(IoHandler handler) {
            return new LinkConnector(link, handler);
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

    private static final class LinkConnector extends AbstractCloseable implements IoConnector {
        private final ByteLink link;
        private final IoHandler handler;

        LinkConnector(ByteLink link, IoHandler handler) {
            this.link = link;
            this.handler = handler;
        }

        @Override
        public IoConnectFuture connect(SocketAddress target, AttributeRepository context, SocketAddress local) {
            DefaultIoConnectFuture future = new DefaultIoConnectFuture(target, null);
            LinkSession session = new LinkSession(link, this, handler,
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
