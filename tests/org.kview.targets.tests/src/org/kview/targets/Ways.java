// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;

import org.kview.targets.channel.AgentTransport;

/** Transports to a test's agent that break, last or fail as real ones do. */
final class Ways {
    private Ways() {
    }

    /** One more transport to the agent of a test. */
    static class Way implements AgentTransport {
        final AgentTransport agent;

        Way(AgentTransport agent) {
            this.agent = agent;
        }

        @Override
        public InputStream input() {
            return agent.input();
        }

        @Override
        public OutputStream output() {
            return agent.output();
        }

        @Override
        public InputStream errors() {
            return agent.errors();
        }

        @Override
        public String description() {
            return agent.description();
        }

        @Override
        public boolean raisesPrivileges() {
            return false;
        }

        @Override
        public OptionalInt awaitExit(Duration timeout) throws InterruptedException {
            return agent.awaitExit(timeout);
        }

        @Override
        public void kill() {
            agent.kill();
        }

        @Override
        public void close() {
            agent.close();
        }
    }

    /** A transport whose agent goes on when the transport breaks. */
    static final class Lasting extends Way {
        Lasting(AgentTransport agent) {
            super(agent);
        }

        @Override
        public OptionalInt awaitExit(Duration timeout) {
            return OptionalInt.empty();
        }
    }

    static final class Killed extends Way {
        private final CountDownLatch ended;

        Killed(AgentTransport agent, CountDownLatch ended) {
            super(agent);
            this.ended = ended;
        }

        @Override
        public void kill() {
            super.kill();
            ended.countDown();
        }

        @Override
        public void close() {
            super.close();
            ended.countDown();
        }
    }

    /** Once told to, throws an exception that no stream should throw. */
    static final class FailingTransport extends Way {
        volatile Throwable failure;

        FailingTransport(AgentTransport agent) {
            super(agent);
        }

        @Override
        public InputStream input() {
            return new FilterInputStream(super.input()) {
                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    int count = super.read(bytes, offset, length);
                    switch (failure) {
                        case null -> { }
                        case RuntimeException e -> throw e;
                        case Error e -> throw e;
                        default -> throw new IOException(failure);
                    }
                    return count;
                }
            };
        }
    }
}
