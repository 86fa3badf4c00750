// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Optional;
import java.util.OptionalInt;

import org.kview.ctf.calls.Call;
import org.kview.model.Bookmark.Range;
import org.kview.model.Metric;

/** A single call as people see it; its texts are {@link org.kview.model.SafeText}. Immutable. */
public final class StoredCall {
    private final CallRow row;
    private final OptionalInt functionId;

    StoredCall(CallRow row, OptionalInt functionId) {
        this.row = row;
        this.functionId = functionId;
    }

    /** The host that it ran on, as the user named it. */
    public String target() {
        return row.host().target();
    }

    public String function() {
        return row.host().function(row.call().function());
    }

    /** The id that its function has in the session's figures; empty if it is not among them. */
    public OptionalInt functionId() {
        return functionId;
    }

    /** From entry to return: ns since 1970, as the times of a trace's events. */
    public Range time() {
        long begin = row.epochNanos();
        return new Range(begin, Math.max(begin, row.host().epochNanos(row.call().endNanos())));
    }

    /** When it was entered, since the recording's start. */
    public long startNanos() {
        return row.host().sinceStartNanos(row.call().beginNanos());
    }

    public long wallNanos() {
        return row.call().wallNanos();
    }

    /** The time of a part of it: {@link Metric#ON_CPU} or a cause. */
    public long nanos(Metric part) {
        Call call = row.call();
        return part == Metric.WALL ? call.wallNanos() : part == Metric.ON_CPU ? call.onCpuNanos() : call.nanos(part);
    }

    /** The largest part of its time. */
    public Metric mainPart() {
        return row.call().mainPart();
    }

    public long tid() {
        return row.call().tid();
    }

    /** Its thread's name; empty if that is not known. */
    public String thread() {
        return CallHost.shown(row.call().thread());
    }

    /** The CPU that it ended on. */
    public int cpu() {
        return row.call().cpu();
    }

    public long depth() {
        return row.call().depth();
    }

    /** The function of the call around it; empty if there is none, or it is not known. */
    public Optional<String> parent() {
        return row.call().parent().map(parent -> row.host().function(parent.function()));
    }

    /** "name/tid" of who ended its longest wait; empty if nobody did, or it is not known. */
    public Optional<String> waker() {
        return row.call().waker().map(waker -> CallHost.shown(waker.name()) + "/" + waker.tid());
    }
}
