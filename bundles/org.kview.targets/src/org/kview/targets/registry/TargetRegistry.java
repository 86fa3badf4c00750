// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.kview.targets.Target;
import org.kview.targets.registry.TargetConnection.Origin;

/** The targets that a user works with, in the order in which they are shown. Safe for use by several threads. */
public final class TargetRegistry {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private Map<String, TargetConnection> connections = new LinkedHashMap<>();

    /**
     * A target that shall be in the registry.
     *
     * @param target identified by its {@link Target#name()}
     */
    public record Entry(Target target, Origin origin) {
    }

    /**
     * Sets which targets there are. A target that was there before, by its name, keeps its connection. One that
     * is no longer wanted stays as long as it is connected.
     */
    public void show(List<Entry> entries) {
        synchronized (this) {
            Map<String, TargetConnection> next = new LinkedHashMap<>();
            for (Entry entry : entries) {
                TargetConnection known = connections.get(entry.target().name());
                next.putIfAbsent(entry.target().name(), known != null && known.origin() == entry.origin() ? known
                        : new TargetConnection(entry.target(), entry.origin(), this::tell));
            }
            connections.forEach((name, old) -> {
                if (next.get(name) != old && isInUse(old)) {
                    next.put(name, old);
                }
            });
            connections = next;
        }
        tell();
    }

    private static boolean isInUse(TargetConnection connection) {
        TargetStatus status = connection.status();
        return status.state().isAlive() || !status.recordings().isEmpty();
    }

    public synchronized List<TargetConnection> connections() {
        return List.copyOf(connections.values());
    }

    public synchronized Optional<TargetConnection> find(String name) {
        return Optional.ofNullable(connections.get(name));
    }

    /** @param listener is run on any thread when a target or its status has changed; must return soon */
    public void listen(Runnable listener) {
        listeners.add(listener);
    }

    public void unlisten(Runnable listener) {
        listeners.remove(listener);
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    /** Disconnects all. May take some seconds. */
    public void close() {
        List<Thread> ends = new ArrayList<>();
        for (TargetConnection connection : connections()) {
            if (connection.status().state() != TargetStatus.State.IDLE) {
                ends.add(Thread.ofVirtual().name("kview-disconnect").start(connection::disconnect));
            }
        }
        for (Thread end : ends) {
            try {
                end.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
