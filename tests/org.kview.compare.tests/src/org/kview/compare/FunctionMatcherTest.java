// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.model.FunctionLatency;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

class FunctionMatcherTest {
    private static FunctionLatency function(String binary, String name, String symbol, long address) {
        return new FunctionLatency(Recorded.function(0, name, symbol, binary, address, address, 0, ExitKind.UNKNOWN, 0, 0),
                0, 0, 0, Map.of());
    }

    private static FunctionLatency function(String binary, String name) {
        return function(binary, name, name, 0x1000);
    }

    private static FunctionMatcher match(List<FunctionLatency> a, List<FunctionLatency> b) {
        return new FunctionMatcher(a, b);
    }

    private static FunctionPair pair(FunctionLatency a, FunctionLatency b) {
        FunctionMatcher matcher = match(List.of(a), List.of(b));
        assertThat(matcher.pairs()).hasSize(1);
        assertThat(matcher.onlyA()).isEmpty();
        assertThat(matcher.onlyB()).isEmpty();
        return matcher.pairs().getFirst();
    }

    @Test
    void anotherFolderIsTheSameProgram() {
        assertThat(pair(function("/opt/shop-1/bin/shop", "pay"), function("/opt/shop-2/bin/shop", "pay")).note()).isEmpty();
    }

    @Test
    void aRustHashMayDiffer() {
        assertThat(pair(function("/b/shop", "shop::pay", "_ZN4shop3pay17h0123456789abcdefE", 1),
                function("/b/shop", "shop::pay", "_ZN4shop3pay17hfedcba9876543210E", 2)).note()).isEmpty();
    }

    @Test
    void aRenamedBinaryIsToldSo() {
        assertThat(pair(function("/lib/libshop.so.1.2", "pay"), function("/lib/libshop.so.1.3", "pay")).note())
                .isEqualTo("In libshop.so.1.2 in A, in libshop.so.1.3 in B.");
        assertThat(pair(function("/b/shop", "pay"), function("/b/shop-new", "pay")).note()).contains("shop-new in B");
    }

    /** Its name has the file in it, which the distribution's next version calls otherwise. */
    @Test
    void aStaticProbeIsTheSameInAnotherVersion() {
        assertThat(pair(between("/lib/libshop.so.6.0.30"), between("/lib/libshop.so.6.0.33")).note())
                .isEqualTo("In libshop.so.6.0.30 in A, in libshop.so.6.0.33 in B.");
        assertThat(FunctionMatcher.label(between("/lib/libshop-2.36.so").function())).isEqualTo("usdt:libshop.so:shop:begin..end");
    }

    private static FunctionLatency between(String binary) {
        ProbePoint.Usdt pair = new ProbePoint.Usdt(binary, "shop", "begin..end");
        return new FunctionLatency(ProbedFunction.of(0, pair.label(), pair, Mechanism.TRAP, ProbedFunction.ALL_METRICS), 0, 0, 0, Map.of());
    }

    @Test
    void aCompilersCopyIsToldSo() {
        assertThat(pair(function("/b/shop", "pay"), function("/b/shop", "pay.constprop.0")).note())
                .isEqualTo("Compiled differently: pay in A, pay.constprop.0 in B.");
    }

    @Test
    void overloadsAreKeptApart() {
        FunctionLatency one = function("/b/shop", "pay(int)", "_Z3payi", 1);
        FunctionLatency other = function("/b/shop", "pay(long)", "_Z3payl", 2);
        FunctionMatcher matcher = match(List.of(one, other), List.of(other, one));
        assertThat(matcher.pairs()).allMatch(p -> p.a().equals(p.b())).hasSize(2);
    }

    @Test
    void staticFunctionsOfOneNameGoByTheirOrder() {
        FunctionMatcher matcher = match(List.of(function("/b/s", "init", "init", 0x30), function("/b/s", "init", "init", 0x10)),
                List.of(function("/b/s", "init", "init", 0x11), function("/b/s", "init", "init", 0x33)));
        assertThat(matcher.pairs()).hasSize(2).allMatch(p -> p.note().contains("One of 2"));
        assertThat(matcher.pairs().getFirst().a().function().point().address()).isEqualTo(0x10);
        assertThat(matcher.pairs().getFirst().b().function().point().address()).isEqualTo(0x11);
    }

    @Test
    void whatIsAmbiguousIsNotGuessed() {
        FunctionMatcher matcher = match(List.of(function("/b/s", "init", "init", 1)),
                List.of(function("/b/x", "init"), function("/b/y", "init")));
        assertThat(matcher.pairs()).isEmpty();
        assertThat(matcher.onlyA()).hasSize(1);
        assertThat(matcher.onlyB()).hasSize(2);
    }

    @Test
    void twoLibrariesThatHaveTheNameAreKeptApart() {
        FunctionMatcher matcher = match(List.of(function("/l/liba.so", "open"), function("/l/libb.so", "open")),
                List.of(function("/m/libb.so", "open"), function("/m/liba.so", "open")));
        assertThat(matcher.pairs()).hasSize(2).allMatch(p -> p.note().isEmpty());
    }
}
