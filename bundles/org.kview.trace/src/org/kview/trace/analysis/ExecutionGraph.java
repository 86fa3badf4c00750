// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;

import org.eclipse.tracecompass.analysis.graph.core.base.TmfEdge.EdgeType;
import org.eclipse.tracecompass.analysis.graph.core.base.TmfGraph;
import org.eclipse.tracecompass.analysis.graph.core.base.TmfVertex;
import org.eclipse.tracecompass.analysis.graph.core.building.AbstractTmfGraphProvider;
import org.eclipse.tracecompass.analysis.os.linux.core.execution.graph.OsWorker;
import org.eclipse.tracecompass.analysis.os.linux.core.model.HostThread;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.kview.ctf.EventField;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.trace.KviewEvents;

/**
 * What the recorded threads did, one after the other, and which of them ended which wait of another. A waker that is not recorded has
 * no line, so such a wait stays what it is.
 */
final class ExecutionGraph extends AbstractTmfGraphProvider implements ThreadSwitches.Listener {
    private final RecordedEvents events;
    private final Map<Integer, Line> lines = new HashMap<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private long lastNanos = Long.MIN_VALUE;

    /** A thread, and what it does since the last vertex of it. */
    private static final class Line {
        private final OsWorker worker;
        private EdgeType since = EdgeType.UNKNOWN;

        Line(OsWorker worker) {
            this.worker = worker;
        }
    }

    ExecutionGraph(ITmfTrace trace) {
        super(trace, "Threads of a Kview recording");
        events = new RecordedEvents(trace, new ThreadSwitches(this));
    }

    @Override
    protected void eventHandle(ITmfEvent event) {
        lastNanos = Math.max(lastNanos, event.getTimestamp().toNanos());
        events.handle(event);
    }

    /** What a thread did last it did until the end. */
    @Override
    public void done() {
        try {
            lines.values().stream().filter(line -> line.since != EdgeType.UNKNOWN && getAssignedGraph().getTail(line.worker).getTs() < lastNanos)
                    .forEach(line -> append(line, lastNanos, EdgeType.UNKNOWN));
        } finally {
            done.countDown();
        }
    }

    /** Returns when the graph is whole. */
    void awaitDone() throws InterruptedException {
        done.await();
    }

    @Override
    public void begins(int cpu, int tid, long nanos) {
        now(tid, nanos, EdgeType.RUNNING);
    }

    @Override
    public void ends(int cpu, int tid, long nanos) {
        unknown(tid, nanos);
    }

    @Override
    public void waits(CtfTmfEvent event, int tid, long nanos) {
        now(tid, nanos, switch (KviewEvents.cause(event)) {
            case RUN_QUEUE, PREEMPTED, THROTTLED, STEAL -> EdgeType.PREEMPTED;
            case BLOCK_IO -> EdgeType.BLOCK_DEVICE;
            case SLEEP -> EdgeType.TIMER;
            case NETWORK -> EdgeType.NETWORK;
            default -> EdgeType.BLOCKED;
        });
    }

    @Override
    public void woken(CtfTmfEvent event, int tid, long nanos) {
        if (!lines.containsKey(tid)) {
            return;
        }
        OptionalLong waker = KviewEvents.number(event, EventField.WAKER_TID);
        Line wakes = waker.isPresent() && waker.getAsLong() != tid ? lines.get((int) waker.getAsLong()) : null;
        TmfVertex woken = append(lines.get(tid), nanos, EdgeType.PREEMPTED);
        if (wakes != null && wakes.since == EdgeType.RUNNING) {
            // One vertex leads to one other.
            append(wakes, nanos, EdgeType.RUNNING).linkVertical(woken);
        }
    }

    @Override
    public void unknown(int tid, long nanos) {
        now(tid, nanos, EdgeType.UNKNOWN);
    }

    @Override
    public void ended(int tid, long nanos) {
        if (lines.containsKey(tid)) {
            unknown(tid, nanos);
        }
    }

    @Override
    public void named(CtfTmfEvent event, int tid, long nanos) {
        KviewEvents.text(event, EventField.NAME).filter(name -> !name.isEmpty())
                .ifPresent(name -> line(tid, nanos).worker.setName(SafeText.line(name)));
    }

    @Override
    public void forgetThreads(long nanos) {
        lines.keySet().forEach(tid -> unknown(tid, nanos));
    }

    private Line line(int tid, long nanos) {
        return lines.computeIfAbsent(tid, _ -> new Line(new OsWorker(new HostThread(getTrace().getHostId(), tid), Integer.toString(tid), nanos)));
    }

    /** What it did until now is known, and from here on it does something else. */
    private TmfVertex now(int tid, long nanos, EdgeType does) {
        Line line = line(tid, nanos);
        TmfVertex tail = getAssignedGraph().getTail(line.worker);
        if (tail != null && tail.getTs() == nanos) {
            line.since = does;
            return tail;
        }
        return append(line, nanos, does);
    }

    private TmfVertex append(Line line, long nanos, EdgeType does) {
        TmfGraph graph = getAssignedGraph();
        TmfVertex vertex = new TmfVertex(nanos);
        if (graph.getTail(line.worker) == null) {
            graph.add(line.worker, vertex);
        } else {
            graph.append(line.worker, vertex, line.since);
        }
        line.since = does;
        return vertex;
    }
}
