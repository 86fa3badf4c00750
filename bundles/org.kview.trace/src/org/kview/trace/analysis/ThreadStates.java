// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;

import org.eclipse.tracecompass.analysis.os.linux.core.kernel.StateValues;
import org.eclipse.tracecompass.analysis.os.linux.core.model.ProcessStatus;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.kview.ctf.EventField;
import org.kview.model.SafeText;
import org.kview.trace.KviewEvents;

/**
 * The states of threads and CPUs, as attributes of the names that Trace Compass's kernel analysis gives them. Whether a thread that
 * runs is in the kernel is not recorded: it stands as in user mode.
 */
final class ThreadStates extends SwitchStates {
    private static final String THREADS = "Threads";
    private static final String CPUS = "CPUs";

    /** The thread's own state. */
    private final Map<Integer, Integer> quarks = new HashMap<>();

    ThreadStates(ITmfTrace trace) {
        super(trace, "Threads of a Kview recording");
    }

    @Override
    public ITmfStateProvider getNewInstance() {
        return new ThreadStates(getTrace());
    }

    @Override
    public void begins(int cpu, int tid, long nanos) {
        set(tid, ProcessStatus.RUN, nanos);
        cpu(cpu, nanos, StateValues.CPU_STATUS_RUN_USERMODE, tid);
        states().modifyAttribute(nanos, cpu, states().getQuarkRelativeAndAdd(quark(tid, nanos), "Current_cpu_rq"));
    }

    @Override
    public void ends(int cpu, int tid, long nanos) {
        cpu(cpu, nanos, null, null);
    }

    private void cpu(int cpu, long nanos, Object status, Object tid) {
        int quark = states().getQuarkAbsoluteAndAdd(CPUS, Integer.toString(cpu));
        states().modifyAttribute(nanos, status, quark);
        states().modifyAttribute(nanos, tid, states().getQuarkRelativeAndAdd(quark, "Current_thread"));
    }

    @Override
    public void waits(CtfTmfEvent event, int tid, long nanos) {
        set(tid, switch (KviewEvents.cause(event)) {
            case RUN_QUEUE, PREEMPTED, THROTTLED -> ProcessStatus.WAIT_CPU;
            case OTHER -> ProcessStatus.WAIT_UNKNOWN;
            default -> ProcessStatus.WAIT_BLOCKED;
        }, nanos);
    }

    @Override
    public void woken(CtfTmfEvent event, int tid, long nanos) {
        if (quarks.containsKey(tid)) {
            set(tid, ProcessStatus.WAIT_CPU, nanos);
        }
    }

    @Override
    public void unknown(int tid, long nanos) {
        states().modifyAttribute(nanos, null, quark(tid, nanos));
    }

    @Override
    public void ended(int tid, long nanos) {
        if (quarks.containsKey(tid)) {
            unknown(tid, nanos);
        }
    }

    @Override
    public void forgetThreads(long nanos) {
        quarks.keySet().forEach(tid -> unknown(tid, nanos));
    }

    @Override
    public void named(CtfTmfEvent event, int tid, long nanos) {
        int quark = quark(tid, nanos);
        KviewEvents.text(event, EventField.NAME).filter(name -> !name.isEmpty())
                .ifPresent(name -> states().modifyAttribute(nanos, SafeText.line(name), name(quark)));
        OptionalInt pid = KviewEvents.number(event, EventField.PID).stream().mapToInt(value -> (int) value).findFirst();
        if (pid.isPresent()) {
            states().modifyAttribute(nanos, pid.getAsInt(), states().getQuarkRelativeAndAdd(quark, "PID"));
            states().modifyAttribute(nanos, pid.getAsInt() == tid ? 0 : pid.getAsInt(), states().getQuarkRelativeAndAdd(quark, "PPID"));
        }
    }

    private void set(int tid, ProcessStatus status, long nanos) {
        states().modifyAttribute(nanos, status.getStateValue().unboxValue(), quark(tid, nanos));
    }

    /** Views leave out a thread that has no name: until it has one, its number is. */
    private int quark(int tid, long nanos) {
        return quarks.computeIfAbsent(tid, _ -> {
            int quark = states().getQuarkAbsoluteAndAdd(THREADS, Integer.toString(tid));
            states().modifyAttribute(nanos, Integer.toString(tid), name(quark));
            return quark;
        });
    }

    private int name(int quark) {
        return states().getQuarkRelativeAndAdd(quark, "Exec_name");
    }
}
