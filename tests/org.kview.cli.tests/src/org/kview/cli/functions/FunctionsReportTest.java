// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionInfo.Language;
import org.kview.targets.values.InstructionCost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class FunctionsReportTest {
    private static FunctionInfo function(String name, String symbol, String binary, String reason, List<String> aliases) {
        return priced(name, symbol, binary, reason, aliases, 0);
    }

    private static FunctionInfo priced(String name, String symbol, String binary, String reason, List<String> aliases,
            long nanos) {
        return new FunctionInfo(name, new ProbePoint.UserFunction(binary, symbol, 1, 2, 1212), Language.C, reason.isEmpty(), reason,
                new FunctionInfo.Ends(ExitKind.RETURN_SITES, 3, List.of()),
                new FunctionInfo.Price(InstructionCost.EMULATED, InstructionCost.SINGLE_STEPPED, nanos), aliases, 0);
    }

    private static Found found(FunctionInfo... functions) {
        List<FunctionInfo> all = List.of(functions);
        Map<String, List<FunctionInfo>> byFile = all.stream().collect(Collectors.groupingBy(function -> function.point().binary(),
                LinkedHashMap::new, Collectors.toList()));
        return new Found(all, byFile.entrySet().stream().map(file -> new FileCount(file.getKey(), 1500, file.getValue().size(),
                file.getValue().stream().filter(FunctionInfo::probeable).count())).toList(), List.of());
    }

    /** As of a process that maps these files alone; of a file if it is not one of them. */
    private static FunctionsReport report(long pid, FunctionInfo... functions) {
        Found found = found(functions);
        return new FunctionsReport("local", pid, "*", found, new BinaryNames(pid == 0 ? List.of()
                : found.files().stream().map(FileCount::path).toList(), found), "");
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
        Found one = found(function("f", "f", "/a/x.so", "", List.of()));
        assertThat(new BinaryNames(List.of("/a/x.so", "/b/x.so"), one).of("/a/x.so")).as("another one is mapped, too")
                .isEqualTo("/a/x.so");
        assertThat(new BinaryNames(List.of("/bin/shop"), one).of("/a/x.so")).as("not loaded yet").isEqualTo("/a/x.so");
        assertThat(new BinaryNames(List.of("/bin/syscall"), one).of("/bin/syscall")).as("its name means system calls")
                .isEqualTo("/bin/syscall");
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
        assertThat(json.at("/files/1").textValue()).isEqualTo("/bin/shop");
        assertThat(json.at("/binaries/1").toString()).isEqualTo("{\"bin\":\"shop\",\"binary\":\"/bin/shop\",\"total\":1500,"
                + "\"examined\":1,\"probeable\":0}");
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

    @Test
    void whatProbesAddToACallIsAColumnOnceItIsKnown() {
        assertThat(report(42, priced("read", "read", "/bin/shop", "", List.of(), 1012), function("f", "f", "/bin/shop", "", List.of()),
                function("tiny", "tiny", "/bin/shop", "it is too short", List.of())).text()).isEqualTo("""
                BIN:FUNC        Size  Adds to a call  Its end is seen by
                shop:read    1,212 B         1.01 µs  probe on each return (3), single-stepped; entry emulated
                shop:f       1,212 B               ?  probe on each return (3), single-stepped; entry emulated
                shop:tiny    1,212 B                  can't be probed: it is too short
                """);
    }

    @Test
    void csvHasALineForEach() {
        FunctionsReport report = report(42, priced("price(int, int)", "_Z5priceii", "/bin/shop", "", List.of("a", "b"), 1012),
                function("tiny\u001b", "tiny", "/bin/shop", "it is \"short\"", List.of()));
        assertThat(FunctionsCsv.of(report.found().functions(), report.names()).lines()).containsExactly(
                "probe,name,symbol,binary,size_bytes,language,probeable,reason,entry,exit_kind,exit,exit_sites,predicted_cost_ns,"
                        + "aliases,goes_on_to,inlined_places",
                "\"shop:price(int, int)\",\"price(int, int)\",_Z5priceii,/bin/shop,1212,c,true,,emulated,return_sites,"
                        + "single_stepped,3,1012,a; b,,",
                "shop:tiny\uFFFD,tiny\uFFFD,tiny,/bin/shop,1212,c,false,\"it is \"\"short\"\"\",,,,,,,,");
    }
}
