// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.cli.KviewCommand;
import org.kview.cli.console.Console;
import org.kview.session.report.TableStyle;

import picocli.CommandLine;

class RightsTest {
    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    @ParameterizedTest
    @CsvSource({"functions --pid 1,true", "functions --pid 1 --target local,true", "functions --pid 1 --target web-1,false",
            "record --pid 1 --probe b:f -o s,true", "record --target local --pid 1 --probe b:f -o s,true",
            "record --target local --target web-1 --process s --probe b:f -o s,false", "doctor --target web-1,false"})
    void sudoHelpsOnThisMachineOnly(String line, boolean here) {
        CommandLine commands = new KviewCommand(new Console(NOWHERE, NOWHERE, false, TableStyle.PLAIN), () -> "1").line();
        assertThat(Rights.isHere(commands.parseArgs(line.split(" ")))).isEqualTo(here);
    }
}
