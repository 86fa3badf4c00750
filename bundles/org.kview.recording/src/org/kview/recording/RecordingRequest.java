// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbeWay;
import org.kview.model.SurveyFindings;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;

/**
 * What to record, how, and where to. Whom to record is a separate value, see {@link ScopeSpec}.
 *
 * @param probes    functions to be looked up
 * @param functions functions that were looked up already; together with {@code probes} at least one, if no survey chooses
 *                  them; otherwise none
 * @param folder    the session's, which must not exist
 * @param options   how
 * @param surveyed  what a survey found that was made before, to help to choose the functions; the session keeps it
 */
public record RecordingRequest(List<ProbeSpec> probes, List<FunctionInfo> functions, Path folder,
        RecordingOptions options, Optional<SurveyFindings> surveyed) {

    public RecordingRequest {
        Objects.requireNonNull(folder);
        Objects.requireNonNull(options);
        Objects.requireNonNull(surveyed);
        probes = List.copyOf(probes);
        functions = List.copyOf(functions);
        if ((probes.isEmpty() && functions.isEmpty()) != options.preparation().survey().isPresent()) {
            throw new IllegalArgumentException("A recording needs a function, or a survey that finds some");
        }
    }

    /** Without a survey that was made before. */
    public RecordingRequest(List<ProbeSpec> probes, List<FunctionInfo> functions, Path folder, RecordingOptions options) {
        this(probes, functions, folder, options, Optional.empty());
    }

    private Stream<ProbeSpec.Kind> kinds() {
        return Stream.concat(probes.stream().map(ProbeSpec::kind), functions.stream().map(function -> switch (function.point()) {
            case ProbePoint.SystemCall _ -> ProbeSpec.Kind.SYSTEM_CALL;
            case ProbePoint.KernelFunction _ -> ProbeSpec.Kind.KERNEL_FUNCTION;
            case ProbePoint.Tracepoint _ -> ProbeSpec.Kind.TRACEPOINT;
            case ProbePoint.Usdt usdt -> usdt.isPair() ? ProbeSpec.Kind.USDT_PAIR : ProbeSpec.Kind.USDT;
            default -> ProbeSpec.Kind.USER_FUNCTION;
        }));
    }

    /** @throws TargetException if no agent can record that, as far as this side knows */
    void check() throws TargetException {
        checkConditions();
        checkMeasures();
        if (options.events() && kinds().anyMatch(kind -> kind == ProbeSpec.Kind.TRACEPOINT)) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "There are no events of tracepoints, which are counted:"
                    + " record them without events");
        }
        if (options.events() && kinds().anyMatch(kind -> kind == ProbeSpec.Kind.USDT)) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "There are no events of static probes, which are counted:"
                    + " record them without events");
        }
        if (options.events() && kinds().distinct().count() > 1) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "There are events of one kind of points at a time,"
                    + " of functions of programs, of system calls or of functions of the kernel, as each kind would tell of the same"
                    + " context switches once more: record them together without events");
        }
    }

    private void checkMeasures() throws TargetException {
        if (options.measures().isEmpty()) {
            return;
        }
        if (options.functions().way() == ProbeWay.JUMP) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "Jumps measure time alone, as the code that they lead to asks the"
                    + " kernel nothing: count what calls take beside it by traps");
        }
        if (kinds().anyMatch(kind -> kind != ProbeSpec.Kind.USER_FUNCTION)) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "Beside time, something is counted within calls of functions of"
                    + " programs alone: record the other points apart, or without --measure");
        }
    }

    private void checkConditions() throws TargetException {
        if (options.functions().way() == ProbeWay.JUMP && !options.splits().isEmpty()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "Jumps count calls whatever their values, as the code that they lead"
                    + " to reads none: split figures by traps, or not at all");
        }
        if (options.conditions().isEmpty()) {
            return;
        }
        if (options.functions().way() == ProbeWay.JUMP) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "Jumps count every call, as the code that they lead to reads no"
                    + " arguments: record with conditions by traps, or without them");
        }
        if (options.events() && options.conditions().areDecidedAtEnd()) {
            throw new TargetException(TargetException.Kind.UNSUPPORTED, "What a call returns is known at its end, when the event of its"
                    + " beginning is written: record conditions on retval without events");
        }
    }

    /** The same into another folder. */
    RecordingRequest in(Path otherFolder) {
        return new RecordingRequest(probes, functions, otherFolder, options, surveyed);
    }
}
