// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/** A thread that works ahead of the one that it works for, and ends with it. */
public final class TraceThread implements AutoCloseable {
    private final Thread thread;

    public TraceThread(String name, Runnable work) {
        thread = Thread.ofPlatform().daemon().name(name).start(work);
    }

    /** For who it works for: throws what it failed by; null: nothing. */
    public static void rethrow(Throwable failure) throws CtfException {
        switch (failure) {
            case CtfException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case null, default -> { }
        }
    }

    /** Interrupts it, and returns when it has ended. */
    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
