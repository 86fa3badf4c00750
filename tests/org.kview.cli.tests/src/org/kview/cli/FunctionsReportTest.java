// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.recording.FunctionSearch.Found;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionInfo.Language;
import org.kview.targets.values.InstructionCost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class FunctionsReportTest {
    private static FunctionInfo function(String name, String symbol, String binary, String reason, List<String> aliases) {
        return new FunctionInfo(name, new ProbePoint.UserFunction(binary, symbol, 1, 2, 1212), Language.C,
                reason.isEmpty(), reason, ExitKind.RETURN_SITES, 3, InstructionCost.EMULATED,
                InstructionCost.SINGLE_STEPPED, 0, aliases, List.of(), 0);
    }

    private static FunctionsReport report(long pid, FunctionInfo... functions) {
        List<FunctionInfo> all = List.of(functions);
        return new FunctionsReport("local", pid, "*", new Found(all, 3000,
                all.stream().map(function -> function.point().binary()).distinct().toList(),
                List.of()));
    }

    @Test
    void eachIsPrintedAsRecordTakesIt() {
        assertThat(report(42, function("read", "read", "/lib/libc.so.6", "", List.of("__read")),
                function("tiny", "tiny", "/bin/shop", "it is too short", List.of())).text()).isEqualTo("""
                BIN:FUNC             Size  Its end is seen by
                libc.so.6:read    1,212 B  probe on each return (3), single-stepped; entry emulated
                    also __read
                shop:tiny         1,212 B  can't be probed: it is too short
                """);
    }

    @Test
    void whatAFilesNameDoesNotTellItsPathDoes() {
        assertThat(report(42, function("f", "f", "/a/x.so", "", List.of()), function("f", "f", "/b/x.so", "", List.of())).text())
                .contains("/a/x.so:f", "/b/x.so:f");
        assertThat(report(0, function("f", "f", "/bin/shop", "", List.of())).text()).contains("/bin/shop:f");
    }

    @Test
    void aNameThatWouldBeAGlobIsGivenByItsSymbol() {
        assertThat(report(42, function("Basket::operator[](int)", "_ZN6BasketixEi", "/bin/shop", "", List.of())).text())
                .contains("shop:_ZN6BasketixEi");
    }

    @Test
    void jsonHasAllOfIt() throws Exception {
        JsonNode json = new ObjectMapper().readTree(report(42, function("read", "read", "/lib/libc.so.6", "", List.of("__read")),
                function("tiny", "tiny", "/bin/shop", "it is too short", List.of())).json());
        assertThat(json.at("/schema").textValue()).isEqualTo("kview-functions/1");
        assertThat(json.at("/pid").longValue()).isEqualTo(42);
        assertThat(json.at("/total").longValue()).isEqualTo(3000);
        assertThat(json.at("/shown").longValue()).isEqualTo(2);
        assertThat(json.at("/functions/0/probe").textValue()).isEqualTo("libc.so.6:read");
        assertThat(json.at("/functions/0/exit_kind").textValue()).isEqualTo("return_sites");
        assertThat(json.at("/functions/0/exit").textValue()).isEqualTo("single_stepped");
        assertThat(json.at("/functions/0/aliases/0").textValue()).isEqualTo("__read");
        assertThat(json.at("/functions/1/reason").textValue()).isEqualTo("it is too short");
        assertThat(json.at("/functions/1").has("exit_kind")).isFalse();
    }

    @Test
    void namesOfOthersDoNotSteerTheTerminal() {
        assertThat(report(42, function("f\u001b[2J", "f", "/bin/shop", "", List.of("g\u001b"))).text()).doesNotContain("\u001b");
    }
}
