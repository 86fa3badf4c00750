// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Hands items to a listener in order, on a virtual thread of its own. The queue is bounded: when it is full,
 * the thread that fills it waits, and so in the end does the agent.
 */
final class Lane implements AutoCloseable {
    private record Item(long bytes, Runnable action) {
    }

    private long maxBytes;
    private final Consumer<Throwable> onFailure;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Item> items = new ArrayDeque<>();
    private long bytes;
    private boolean finishing;
    private boolean closed;
    private boolean running;

    /**
     * @param maxBytes  how much may be queued; an empty queue takes an item of any size
     * @param onFailure hears of what the listener threw; a listener should not throw
     */
    Lane(String name, long maxBytes, Consumer<Throwable> onFailure) {
        this.maxBytes = maxBytes;
        this.onFailure = onFailure;
        Thread.ofVirtual().name(name).start(this::deliver);
    }

    /**
     * Queues an item; waits for room first.
     *
     * @return whether it was queued: not after {@link #finish} or {@link #close}
     */
    boolean put(long itemBytes, Runnable action) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !finishing && bytes > 0 && bytes + itemBytes > maxBytes) {
                changed.await();
            }
            if (closed || finishing) {
                return false;
            }
            items.add(new Item(itemBytes, action));
            bytes += itemBytes;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #put}, but never waits for room: for the few items that come only once. */
    boolean putAtOnce(Runnable action) {
        lock.lock();
        try {
            if (closed || finishing) {
                return false;
            }
            items.add(new Item(0, action));
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Changes how much may be queued. */
    void setMaxBytes(long maxBytes) {
        lock.lock();
        try {
            this.maxBytes = maxBytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything queued so far has been handed over, or the lane was closed. */
    void awaitEmpty() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && (!items.isEmpty() || running)) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands over what is queued and takes nothing more. */
    void finish() {
        lock.lock();
        try {
            finishing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands over nothing more: what is queued is dropped, and waiting threads go on. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            items.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void deliver() {
        try {
            while (true) {
                Item item = take();
                if (item == null) {
                    return;
                }
                try {
                    item.action.run();
                } catch (RuntimeException | Error e) {
                    // Errors, too: otherwise those who wait for a later item would wait for ever.
                    onFailure.accept(e);
                }
                done(item);
            }
        } catch (InterruptedException e) {
            // This thread is interrupted only when the virtual machine shuts down.
            Thread.currentThread().interrupt();
        }
    }

    private Item take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && !finishing && items.isEmpty()) {
                changed.await();
            }
            running = !closed && !items.isEmpty();
            return running ? items.remove() : null;
        } finally {
            lock.unlock();
        }
    }

    private void done(Item item) {
        lock.lock();
        try {
            running = false;
            bytes = Math.max(0, bytes - item.bytes);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
