// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.kview.model.FunctionLatency;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;

/**
 * Finds the functions that two recordings have in common. A program that was built anew or installed elsewhere has
 * other paths, addresses and hashes in its symbols, so functions are matched by what stays the same, the most reliable
 * first: base name of the binary with symbol, with name, without the library's version, the name alone, the name
 * without what a compiler appends.
 */
final class FunctionMatcher {
    private static final BiFunction<FunctionLatency, FunctionLatency, String> SURE = (a, b) -> "";

    private final List<FunctionLatency> onlyA;
    private final List<FunctionLatency> onlyB;
    private final List<FunctionPair> pairs = new ArrayList<>();

    FunctionMatcher(List<FunctionLatency> a, List<FunctionLatency> b) {
        onlyA = new ArrayList<>(a);
        onlyB = new ArrayList<>(b);
        match(f -> List.of(f.point().binary(), f.name(), f.point().symbol()), SURE);
        match(f -> List.of(base(f), f.name(), f.point().symbol()), SURE);
        match(f -> List.of(base(f), f.name()), SURE);
        match(f -> List.of(unversioned(base(f)), f.name()), FunctionMatcher::binaryNote);
        match(FunctionMatcher::label, FunctionMatcher::binaryNote);
        match(f -> unsuffixed(f.name()), (x, y) -> "Compiled differently: " + x.function().name() + " in A, "
                + y.function().name() + " in B.");
    }

    List<FunctionPair> pairs() {
        return pairs;
    }

    List<FunctionLatency> onlyA() {
        return onlyA;
    }

    List<FunctionLatency> onlyB() {
        return onlyB;
    }

    private void match(Function<ProbedFunction, Object> key, BiFunction<FunctionLatency, FunctionLatency, String> note) {
        Map<Object, List<FunctionLatency>> byKeyA = byKey(onlyA, key);
        byKey(onlyB, key).forEach((same, inB) -> {
            List<FunctionLatency> inA = byKeyA.getOrDefault(same, List.of());
            // Static functions with the same name keep their order in the file, unless one was added or removed.
            if (inA.size() == inB.size()) {
                for (int i = 0; i < inA.size(); i++) {
                    String order = inA.size() == 1 ? "" : "One of " + inA.size()
                            + " functions of this name, told apart by the order of their addresses.";
                    pairs.add(new FunctionPair(inA.get(i), inB.get(i),
                            (order + " " + note.apply(inA.get(i), inB.get(i))).strip()));
                }
                onlyA.removeAll(inA);
                onlyB.removeAll(inB);
            }
        });
    }

    private static Map<Object, List<FunctionLatency>> byKey(List<FunctionLatency> functions,
            Function<ProbedFunction, Object> key) {
        Map<Object, List<FunctionLatency>> byKey = new LinkedHashMap<>();
        functions.stream().sorted(Comparator.comparingLong(f -> f.function().point().address()))
                .forEach(f -> byKey.computeIfAbsent(List.of(f.function().point().kind(), key.apply(f.function())),
                        _ -> new ArrayList<>()).add(f));
        return byKey;
    }

    private static String base(ProbedFunction function) {
        return function.point().binary().substring(function.point().binary().lastIndexOf('/') + 1);
    }

    /** libshop.so.1.2 and libshop-1.3.so are libshop.so. */
    private static String unversioned(String base) {
        return base.replaceFirst("\\.so[.0-9]*$", ".so").replaceFirst("-[0-9][.0-9]*(?=\\.so$|$)", "");
    }

    /** Its name; a static probe has that of its file in it, which is taken without a version. */
    static String label(ProbedFunction function) {
        return function.point() instanceof ProbePoint.Usdt usdt ? usdt.labelIn(unversioned(base(function))) : function.name();
    }

    /** What GCC and LLVM append to the name of a part or a copy. */
    private static String unsuffixed(String name) {
        return name.replaceFirst("(\\.(constprop|isra|part|cold|llvm|lto_priv)(\\.[0-9]+)*)+$", "");
    }

    private static String binaryNote(FunctionLatency a, FunctionLatency b) {
        return "In " + base(a.function()) + " in A, in " + base(b.function()) + " in B.";
    }
}
