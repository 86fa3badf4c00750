// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.kview.ctf.EventKind;

/**
 * Which recorded thread runs on which CPU. A recording has the switches of one process: what else a CPU does, and whether it does
 * anything, is not known.
 */
final class ThreadSwitches implements RecordedEvents.Listener {
    /** What threads do. */
    interface Listener {
        /** It runs from here on. */
        void begins(int cpu, int tid, long nanos);

        /** It no longer runs. */
        void ends(int cpu, int tid, long nanos);

        /** It left its CPU, for the cause that the event tells. */
        default void waits(CtfTmfEvent event, int tid, long nanos) {
        }

        /** Somebody, whom the event tells, ended its wait. */
        default void woken(CtfTmfEvent event, int tid, long nanos) {
        }

        default void unknown(int tid, long nanos) {
        }

        /** The thread has ended. */
        default void ended(int tid, long nanos) {
        }

        default void named(CtfTmfEvent event, int tid, long nanos) {
        }

        /** Of no thread it is known any more what it does. */
        default void forgetThreads(long nanos) {
        }
    }

    private final Listener listener;
    /** The thread on each CPU. */
    private final Map<Integer, Integer> running = new HashMap<>();
    private final Map<Integer, Integer> cpus = new HashMap<>();

    ThreadSwitches(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void take(EventKind kind, CtfTmfEvent event, int tid, long nanos) {
        int cpu = event.getCPU();
        switch (kind) {
            case CALL_ENTRY, CALL_EXIT, SWITCH_IN -> runsOn(cpu, tid, nanos);
            case SWITCH_OUT -> {
                leaves(tid, nanos);
                listener.waits(event, tid, nanos);
            }
            case WAKEUP -> {
                if (!cpus.containsKey(tid)) {
                    listener.woken(event, tid, nanos);
                }
            }
            case THREAD_EXIT -> {
                leaves(tid, nanos);
                listener.ended(tid, nanos);
            }
            case THREAD -> listener.named(event, tid, nanos);
        }
    }

    private void runsOn(int cpu, int tid, long nanos) {
        Integer other = running.get(cpu);
        if (other != null && other == tid) {
            return;
        }
        if (other != null) {
            // Its switch is not in the recording.
            leaves(other, nanos);
            listener.unknown(other, nanos);
        }
        leaves(tid, nanos);
        running.put(cpu, tid);
        cpus.put(tid, cpu);
        listener.begins(cpu, tid, nanos);
    }

    private void leaves(int tid, long nanos) {
        Integer cpu = cpus.remove(tid);
        if (cpu != null) {
            running.remove(cpu);
            listener.ends(cpu, tid, nanos);
        }
    }

    @Override
    public void forget(long nanos) {
        List.copyOf(cpus.keySet()).forEach(tid -> leaves(tid, nanos));
        listener.forgetThreads(nanos);
    }
}
