// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbeSpec;
import org.kview.targets.values.PointNames;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Static probes are listed as a recording takes them. */
class StaticProbesReportTest {

    private static StaticProbesReport report(long pid, String wanted) {
        return new StaticProbesReport("local", pid, ProbeSpec.parse(wanted).orElseThrow(), new PointNames(List.of("shop:begin", "shop:end"), 2,
                List.of(new PointNames.Refused("shop:odd", "It is no nop.")), "/usr/lib/libshop.so.1", true), 1000);
    }

    @Test
    void ofAProcessTheyHaveTheFilesNameAsItWasGiven() {
        StaticProbesReport report = report(7, "usdt:libshop:*:*");
        assertThat(report.text()).isEqualTo("""
                usdt:libshop:shop:begin
                usdt:libshop:shop:end
                usdt:libshop:shop:odd  can't be measured: It is no nop.
                """);
        assertThat(report.text().lines().map(line -> line.split("  ")[0]).map(ProbeSpec::parse)).allMatch(spec -> spec.isPresent()
                && spec.get().kind() == ProbeSpec.Kind.USDT);
    }

    @Test
    void ofAFileTheyHaveItsPath() {
        assertThat(report(0, "usdt:libshop.so:*:*").text()).startsWith("usdt:/usr/lib/libshop.so.1:shop:begin\n");
    }

    @Test
    void programsReadThem() throws Exception {
        JsonNode json = new ObjectMapper().readTree(report(7, "usdt:libshop:*:*").json());
        assertThat(json.path("schema").asText()).isEqualTo("kview-static-probes/1");
        assertThat(json.path("total").asInt()).isEqualTo(3);
        assertThat(json.path("not_loaded").asBoolean()).isTrue();
        assertThat(json.path("probes")).hasSize(3).last().satisfies(odd -> {
            assertThat(odd.path("name").asText()).isEqualTo("odd");
            assertThat(odd.path("probeable").asBoolean()).isFalse();
            assertThat(odd.path("reason").asText()).isEqualTo("It is no nop.");
        });
        assertThat(report(7, "usdt:libshop:*:*").csv().lines()).hasSize(4).last().asString()
                .isEqualTo("usdt:libshop:shop:odd,shop,odd,/usr/lib/libshop.so.1,false,It is no nop.");
    }
}
