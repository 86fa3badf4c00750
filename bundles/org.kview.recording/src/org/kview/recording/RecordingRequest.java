// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;

/**
 * What to record, how, and where to. Whom to record is a separate value, see {@link ScopeSpec}.
 *
 * @param probes    functions to be looked up
 * @param functions functions that were looked up already; together with {@code probes} at least one
 * @param folder    the session's, which must not exist
 * @param options   how
 */
public record RecordingRequest(List<ProbeSpec> probes, List<FunctionInfo> functions, Path folder,
        RecordingOptions options) {

    public RecordingRequest {
        Objects.requireNonNull(folder);
        Objects.requireNonNull(options);
        probes = List.copyOf(probes);
        functions = List.copyOf(functions);
        if (probes.isEmpty() && functions.isEmpty()) {
            throw new IllegalArgumentException("A recording needs a function");
        }
    }

    /** Whether it asks for system calls, of which no trial is made: other processes would pay for it. */
    boolean hasSystemCalls() {
        return systemCalls() > 0;
    }

    private long systemCalls() {
        return probes.stream().filter(probe -> probe.kind() == ProbeSpec.Kind.SYSTEM_CALL).count()
                + functions.stream().filter(function -> function.point() instanceof ProbePoint.SystemCall).count();
    }

    /** @throws TargetException if no agent can record that, as far as this side knows */
    void check() throws TargetException {
        if (hasSystemCalls() && systemCalls() < probes.size() + functions.size()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED,
                    "Functions and system calls can't be measured in one recording: record each by themselves");
        }
        if (hasSystemCalls() && options.events()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED,
                    "There are no events of system calls, only their figures: record them without events");
        }
    }

    /** The same into another folder. */
    RecordingRequest in(Path otherFolder) {
        return new RecordingRequest(probes, functions, otherFolder, options);
    }
}
