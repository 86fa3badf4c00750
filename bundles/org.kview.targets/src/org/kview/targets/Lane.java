// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Hands things to a listener in their order, on a virtual thread of its own. What waits is bounded:
 * a full lane makes the thread that fills it wait, and so in the end the agent.
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
     * @param maxBytes  how much may wait; one item is always taken
     * @param onFailure hears of a listener that threw, which is a mistake of the listener
     */
    Lane(String name, long maxBytes, Consumer<Throwable> onFailure) {
        this.maxBytes = maxBytes;
        this.onFailure = onFailure;
        Thread.ofVirtual().name(name).start(this::deliver);
    }

    /** Waits for room; takes nothing, and says so, once closed or to finish. */
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

    /** Takes it without waiting for room: for the few things that there are one of. Says as {@link #put} whether it did. */
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

    /** Lets more wait from now on, or less. */
    void setMaxBytes(long maxBytes) {
        lock.lock();
        try {
            this.maxBytes = maxBytes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all that was put so far has been handed over, or the lane was closed. */
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

    /** Hands over what waits and takes nothing more. */
    void finish() {
        lock.lock();
        try {
            finishing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Hands over nothing more; what waits is dropped, and who waits goes on. */
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
                    // Also what is no exception: whoever waits for what follows would wait for ever.
                    onFailure.accept(e);
                }
                done(item);
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread but a machine that shuts down.
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
