// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.kview.ctf.EventKind;

/**
 * Which recorded thread runs on which CPU. A recording has the switches of one process: what else a CPU does, and whether it does
 * anything, is not known.
 */
abstract class SwitchStates extends RecordedStates {
    /** The thread on each CPU. */
    private final Map<Integer, Integer> running = new HashMap<>();
    private final Map<Integer, Integer> cpus = new HashMap<>();

    SwitchStates(ITmfTrace trace, String id) {
        super(trace, id);
    }

    @Override
    final void take(EventKind kind, CtfTmfEvent event, int tid, long nanos) {
        int cpu = event.getCPU();
        switch (kind) {
            case CALL_ENTRY, CALL_EXIT, SWITCH_IN -> runsOn(cpu, tid, nanos);
            case SWITCH_OUT -> {
                leaves(tid, nanos);
                waits(event, tid, nanos);
            }
            case WAKEUP -> {
                if (!cpus.containsKey(tid)) {
                    woken(tid, nanos);
                }
            }
            case THREAD_EXIT -> {
                leaves(tid, nanos);
                ended(tid, nanos);
            }
            case THREAD -> named(event, tid, nanos);
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
            unknown(other, nanos);
        }
        leaves(tid, nanos);
        running.put(cpu, tid);
        cpus.put(tid, cpu);
        begins(cpu, tid, nanos);
    }

    private void leaves(int tid, long nanos) {
        Integer cpu = cpus.remove(tid);
        if (cpu != null) {
            running.remove(cpu);
            ends(cpu, tid, nanos);
        }
    }

    @Override
    final void forget(long nanos) {
        List.copyOf(cpus.keySet()).forEach(tid -> leaves(tid, nanos));
        forgetThreads(nanos);
    }

    /** It runs from here on. */
    abstract void begins(int cpu, int tid, long nanos);

    /** It no longer runs. */
    abstract void ends(int cpu, int tid, long nanos);

    /** It left its CPU, for the cause that the event tells. */
    void waits(CtfTmfEvent event, int tid, long nanos) {
    }

    void woken(int tid, long nanos) {
    }

    void unknown(int tid, long nanos) {
    }

    /** The thread has ended. */
    void ended(int tid, long nanos) {
    }

    void named(CtfTmfEvent event, int tid, long nanos) {
    }

    void forgetThreads(long nanos) {
    }
}
