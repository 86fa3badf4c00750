// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import org.kview.model.ProbePoint;
import org.kview.targets.Agent;
import org.kview.targets.KernelPoints;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.PointNames;
import org.kview.targets.values.TargetException;

/** What of a host's kernel is searched by a part of its name, where functions of a program are searched else. */
public enum KernelSearch {
    SYSTEM_CALLS("System calls", KernelPoints::systemCalls, name -> FunctionInfo.of(new ProbePoint.SystemCall(name))),
    FUNCTIONS("Functions of the kernel", KernelPoints::functions, name -> FunctionInfo.of(new ProbePoint.KernelFunction("", name))),
    TRACEPOINTS("Tracepoints of the kernel", KernelPoints::tracepoints, name -> FunctionInfo.of(ProbePoint.Tracepoint.of(name)));

    /** Asks a host for the names. */
    @FunctionalInterface
    private interface Names {
        PointNames find(Agent agent, String pattern) throws TargetException, InterruptedException;
    }

    private final String label;
    private final Names names;
    private final Function<String, FunctionInfo> point;

    KernelSearch(String label, Names names, Function<String, FunctionInfo> point) {
        this.label = label;
        this.names = names;
        this.point = point;
    }

    /** For the user, as the name of a file stands for that file's functions. */
    public String label() {
        return label;
    }

    /** What a label stands for; empty for anything else, such as the path of a file. */
    public static Optional<KernelSearch> of(String label) {
        return Stream.of(values()).filter(search -> search.label.equals(label)).findFirst();
    }

    /**
     * Searches.
     *
     * @param limit of what is returned; the total is without it
     * @throws TargetException also where nothing is found, or nothing of this kind can be measured on that host
     */
    public FunctionMatches find(Agent agent, String pattern, int limit) throws TargetException, InterruptedException {
        PointNames found = names.find(agent, pattern);
        List<FunctionInfo> points = Stream.concat(found.names().stream().map(point), found.refused().stream().map(this::refused))
                .limit(limit).toList();
        return new FunctionMatches(points, found.total() + found.refused().size(), "", "", false);
    }

    /** Of tracepoints alone it is told. */
    private FunctionInfo refused(PointNames.Refused refused) {
        return FunctionInfo.refused(ProbePoint.Tracepoint.of(refused.name()), refused.reason());
    }
}
