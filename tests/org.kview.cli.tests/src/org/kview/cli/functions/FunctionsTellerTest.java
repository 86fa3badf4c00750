// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.cli.console.Console;
import org.kview.recording.FunctionSearch.FileCount;
import org.kview.recording.FunctionSearch.Found;
import org.kview.session.report.TableStyle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class FunctionsTellerTest {
    private static final List<FileCount> FILES = List.of(new FileCount("/bin/shop", 40, 40, 38),
            new FileCount("/lib/libbig.so", 134_086, 20_000, 19_044), new FileCount("/lib/libempty.so", 0, 0, 0));

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private void tell(boolean isCount, boolean json, boolean csv) {
        Found found = new Found(List.of(), FILES, List.of("/lib/libx.so has no function symbols."));
        FunctionsReport report = new FunctionsReport("local", 42, "*", found,
                new BinaryNames(List.of("/bin/shop", "/lib/libbig.so", "/lib/libempty.so", "/lib/libx.so"), found), "");
        new FunctionsTeller(new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN), report, isCount).tell(json, csv);
    }

    @Test
    void functionsOfEachFileAreCounted() {
        tell(true, false, false);
        assertThat(out).hasToString("""
                BIN          Functions  Can be probed
                shop                40             38
                libbig.so      134,086         19,044 of the first 20,000
                libempty.so          0              0
                """);
        assertThat(err).hasToString("""
                kview: not searched: /lib/libx.so has no function symbols.
                kview: 'shop:*' lists the functions of one file, a name or a glob such as '*name*' looks in all.
                kview: which of the other functions of libbig.so can be probed shows with a glob that matches fewer.
                """);
    }

    @Test
    void countsAsCsv() {
        tell(true, false, true);
        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("bin,binary,total,examined,probeable",
                "shop,/bin/shop,40,40,38", "libbig.so,/lib/libbig.so,134086,20000,19044", "libempty.so,/lib/libempty.so,0,0,0");
        assertThat(err.toString(StandardCharsets.UTF_8)).as("said beside it").contains("not searched", "libbig.so");
    }

    @Test
    void countsAsJsonWithNothingBeside() throws Exception {
        tell(true, true, false);
        JsonNode json = new ObjectMapper().readTree(out.toByteArray());
        assertThat(json.at("/binaries/1/examined").intValue()).isEqualTo(20_000);
        assertThat(json.at("/total").intValue()).isEqualTo(134_126);
        assertThat(json.at("/functions")).isEmpty();
        assertThat(json.at("/not_searched/0").textValue()).contains("libx.so");
        assertThat(err.size()).isZero();
    }

    @Test
    void whatIsNotShownIsSaidWithItsFile() {
        tell(false, false, false);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("0 of 134,126 shown; --all shows more, a glob",
                "not shown are 114,086 of libbig.so.");
    }
}
