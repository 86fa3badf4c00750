// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeSpecTest {

    @ParameterizedTest
    @CsvSource({"shop:f_lock, shop, f_lock", "/usr/bin/shop:f_*, /usr/bin/shop, f_*",
            "libx.so:std::vector<int>::push_back, libx.so, std::vector<int>::push_back"})
    void binaryAndFunction(String text, String binary, String pattern) {
        assertThat(ProbeSpec.parse(text)).contains(new ProbeSpec(binary, pattern));
        assertThat(new ProbeSpec(binary, pattern)).hasToString(text);
    }

    @Test
    void aSystemCall() {
        assertThat(ProbeSpec.parse("syscall:fsync")).contains(new ProbeSpec(ProbeSpec.Kind.SYSTEM_CALL, "", "fsync"))
                .get().hasToString("syscall:fsync");
        assertThat(ProbeSpec.parse("./syscall:fsync")).contains(new ProbeSpec("./syscall", "fsync"));
        assertThat(ProbeSpec.parse("syscalls:fsync")).contains(new ProbeSpec("syscalls", "fsync"));
    }

    @Test
    void aFunctionOfTheKernel() {
        assertThat(ProbeSpec.parse("kernel:vfs_*")).contains(new ProbeSpec(ProbeSpec.Kind.KERNEL_FUNCTION, "", "vfs_*"))
                .get().hasToString("kernel:vfs_*");
        assertThat(ProbeSpec.parse("./kernel:main")).contains(new ProbeSpec("./kernel", "main"));
    }

    @Test
    void aTracepoint() {
        assertThat(ProbeSpec.parse("tracepoint:sched:sched_*")).contains(new ProbeSpec(ProbeSpec.Kind.TRACEPOINT, "", "sched:sched_*"))
                .get().hasToString("tracepoint:sched:sched_*");
        assertThat(ProbeSpec.parse("./tracepoint:main")).contains(new ProbeSpec("./tracepoint", "main"));
        assertThat(ProbePoint.Tracepoint.of("sched:sched_switch").label()).isEqualTo("tracepoint:sched:sched_switch");
    }

    @ParameterizedTest
    @CsvSource({"usdt:libc:libc:set*, libc, libc:set*", "usdt:/opt/a:b/shop:shop:order__start, /opt/a:b/shop, shop:order__start"})
    void aStaticProbe(String text, String binary, String pattern) {
        assertThat(ProbeSpec.parse(text)).contains(new ProbeSpec(ProbeSpec.Kind.USDT, binary, pattern)).get().hasToString(text);
    }

    @Test
    void aPairOfStaticProbes() {
        String text = "usdt:postgres:postgresql:query__start..query__done";
        assertThat(ProbeSpec.parse(text)).contains(new ProbeSpec(ProbeSpec.Kind.USDT_PAIR, "postgres", "postgresql:query__start..query__done"))
                .get().hasToString(text);
        ProbePoint.Usdt pair = ProbePoint.Usdt.of("/usr/bin/postgres", "postgresql:query__start..query__done");
        assertThat(pair.isPair()).isTrue();
        assertThat(List.of(pair.begins(), pair.ends(), pair.label())).containsExactly("query__start", "query__done", text);
        assertThat(ProbePoint.Usdt.of("/usr/bin/postgres", "postgresql:query__start").isPair()).isFalse();
    }

    @Test
    void aStaticProbeHasItsFilesNameInItsOwn() {
        ProbePoint.Usdt probe = ProbePoint.Usdt.of("/usr/bin/shop", "orders:begin");
        assertThat(probe).isEqualTo(new ProbePoint.Usdt("/usr/bin/shop", "orders", "begin"));
        assertThat(probe.label()).isEqualTo("usdt:shop:orders:begin");
        assertThat(ProbeSpec.parse("./usdt:main")).contains(new ProbeSpec("./usdt", "main"));
    }

    @Test
    void aGlobMayStandForNothing() {
        assertThat(new ProbeSpec("shop", "pay*").isGlob()).isTrue();
        assertThat(new ProbeSpec("shop", "pa[xy]").isGlob()).isTrue();
        assertThat(new ProbeSpec("shop", "std::pay").isGlob()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop", ":f", "shop:", "std::sort", "tracepoint:sched_switch", "tracepoint:sched:", "tracepoint:a:b:c", "usdt:shop", "usdt:shop:begin",
            "usdt:shop:orders:",
            "usdt:shop:orders:a..", "usdt:shop:orders:..b", "usdt:shop:orders:a..b..c", "usdt:shop:orders:*start..*done", "usdt:shop:or*s:a..b"})
    void whatLacksOneIsNone(String text) {
        assertThat(ProbeSpec.parse(text)).isEmpty();
    }

    @Test
    void idsOfMetricsAreKept() {
        assertThat(Metric.CAUSES).hasSize(11).doesNotContain(Metric.WALL, Metric.ON_CPU, Metric.BETWEEN);
        for (Metric metric : Metric.values()) {
            assertThat(Metric.ofId(metric.id())).contains(metric);
            assertThat(Metric.ofValue(metric.value())).contains(metric);
        }
        assertThat(Metric.ofId("none")).isEmpty();
        assertThat(Metric.OTHER.value()).isEqualTo(10);
        assertThat(Metric.THROTTLED.value()).isEqualTo(11);
        assertThat(Metric.STOPPED.value()).isEqualTo(12);
        assertThat(Metric.BETWEEN.value()).isEqualTo(13);
        assertThat(Metric.ofValue(14)).isEmpty();
    }
}
