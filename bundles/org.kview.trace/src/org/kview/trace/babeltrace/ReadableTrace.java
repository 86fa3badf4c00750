// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.tracecompass.tmf.core.project.model.TmfTraceImportException;
import org.eclipse.tracecompass.tmf.core.project.model.TmfTraceType;
import org.eclipse.tracecompass.tmf.core.project.model.TraceTypeHelper;
import org.kview.model.SafeText;
import org.kview.trace.KviewTrace;

/**
 * A trace of another tool, and who reads it: Trace Compass where it can, and else libbabeltrace2.
 *
 * @param type     Trace Compass's type of the trace
 * @param identity changes when a file of the trace does
 */
public record ReadableTrace(Path folder, TraceTypeHelper type, String identity) {
    private static final int MOST_TRACES = 50;

    /**
     * Finds the traces in a folder. May take a second for each.
     *
     * @throws CoreException if there is none, or one can't be read: its message is a sentence
     */
    public static List<ReadableTrace> in(Path folder) throws CoreException {
        try {
            List<Path> traces = TraceFolder.below(folder, MOST_TRACES + 1);
            if (traces.isEmpty() || traces.size() > MOST_TRACES) {
                throw refusal(traces.isEmpty() ? "There is no CTF trace in " + folder + ": a trace is a folder with a file named "
                        + TraceFolder.METADATA : "There are more than " + MOST_TRACES + " traces in " + folder + ": open one of them");
            }
            List<ReadableTrace> readable = new ArrayList<>();
            for (Path trace : traces) {
                // First: of what changes meanwhile, it is the former.
                String identity = TraceFolder.shortIdentity(trace);
                readable.add(new ReadableTrace(trace, type(trace), identity));
            }
            return readable;
        } catch (IOException e) {
            throw refusal("The folder " + folder + " can't be read: " + e.getMessage());
        }
    }

    private static TraceTypeHelper type(Path trace) throws CoreException {
        if (!BabeltraceTrace.isReadByTraceCompass(trace.toString())) {
            BabeltraceTrace validator = new BabeltraceTrace();
            IStatus status = validator.validate(null, trace.toString());
            validator.dispose();
            if (status.getSeverity() == IStatus.ERROR) {
                throw new CoreException(status);
            }
            return TmfTraceType.getTraceType(BabeltraceTrace.TYPE_ID);
        }
        try {
            TraceTypeHelper first = TmfTraceType.selectTraceType(trace.toString(), null).getFirst();
            if (first.getTraceTypeId().equals(KviewTrace.TYPE_ID)) {
                throw refusal("The trace in " + trace + " is one that Kview recorded: open its session, or make one of it by"
                        + " 'kview import'");
            }
            return first;
        } catch (TmfTraceImportException e) {
            throw refusal("The trace in " + trace + " can't be read: " + e.getMessage());
        }
    }

    private static CoreException refusal(String sentence) {
        return new CoreException(new Status(IStatus.ERROR, BabeltraceTrace.BUNDLE_ID, SafeText.line(sentence) + "."));
    }
}
