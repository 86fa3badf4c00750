// SPDX-License-Identifier: EPL-2.0
package org.kview.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.cli.console.Console;
import org.kview.cli.console.DurationConverter;
import org.kview.cli.console.ExitCode;
import org.kview.cli.recording.ProbeConverter;
import org.kview.session.report.TableStyle;
import org.kview.targets.values.TargetException.Kind;

import picocli.CommandLine.TypeConversionException;

class CommandLineTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String line) {
        Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN);
        return new KviewCommand(console, () -> "1.2.3").run(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "''|A command is missing",
            "recrod|Unknown command 'recrod'; did you mean record",
            "xray --pid 1|Unknown command 'xray'; the commands are demo, doctor, survey, functions, record",
            "functions|Functions of what",
            "functions --pid 1 --process x|Give one of",
            "functions --pid 1 -- ls|Give one of",
            "functions --pid 1 a b|One name at a time",
            "functions a b c|One name at a time",
            "functions a b -- ls|One name at a time",
            "functions --pid 0|number 0",
            "functions --pid 1 --binary libc a b|One name at a time",
            "functions --binary a b c|One name at a time",
            "functions --pid 1 --limit 0|--limit takes a number from 1 to 20,000, not 0",
            "functions --pid 1 --limit 20001|to 20,000",
            "functions --pid 1 --limit many|'many'",
            "functions --pid 1 --limit 5 --all|mutually exclusive",
            "functions --pid 1 --json --csv|mutually exclusive",
            "functions --pid 1 --cost|--cost is of functions that are listed",
            "functions --pid 1 syscall:read|System calls are not listed here",
            "survey|--pid=N | --process=NAME",
            "survey --pid 1 --process x|mutually exclusive",
            "survey --pid 0|number 0",
            "survey --pid 1 --duration 1h|1ms to 10m",
            "survey --pid 1 --rate 5000|--rate takes a number from 1 to 4999",
            "survey --pid 1 --top 0|--top takes a number above 0",
            "survey --pid 1 --json --folded|mutually exclusive",
            "views --all|--all is about sites",
            "views --duration 5s|--duration is about sites",
            "views --sites --duration 2h|at most an hour",
            "views --view x|--view",
            "count --pid 1|--site=SITE",
            "count --site vfs_read|--pid=N | --process=NAME",
            "count --site libc:read --pid 1|'libc:read' is no site such as",
            "count --site vfs_read --pid 0|number 0",
            "count --site vfs_read --pid 1 --cgroup /sys/fs/cgroup|mutually exclusive",
            "count --site vfs_read --cgroup web|'web' is neither",
            "count --site vfs_read --cgroup 12|--cgroup takes the path of a directory",
            "count --site vfs_read --queue eth0|'eth0' is neither",
            "count --site vfs_read --queue 12|--queue takes a device and a number",
            "flow --pid 1|--syscall=NAME",
            "flow --syscall read|--pid=N | --process=NAME",
            "flow --pid 1 --process x --syscall read|mutually exclusive",
            "flow --pid 0 --syscall read|number 0",
            "flow --pid 1 --syscall syscall:read|--syscall takes a name such as read, not 'syscall:read'",
            "flow --pid 1 --syscall read --duration 1h|1ms to 10m",
            "flow --pid 1 --syscall read --slowest 0|--slowest takes a number from 1 to 100",
            "flow --pid 1 --syscall read --slowest 101|--slowest takes a number from 1 to 100",
            "flow --pid 1 --syscall read --json --folded|mutually exclusive",
            "functions --pid 1 --cost usdt:shop:*:*|--cost is of functions",
            "functions --pid 1 --process shop usdt:shop:*:*|Give one of --pid N",
            "functions --pid 1 kernel:vfs_read|Functions of the kernel are not listed here",
            "--colour|Unknown option: '--colour'",
            "record|--output",
            "record -o s|--probe=BIN:FUNC",
            "record --pid 1 -o s|--suggested",
            "record --probe b:f --suggested --pid 1 -o s|mutually exclusive",
            "record --suggested -o s -- ls|--suggested surveys one process that runs already",
            "record --suggested --pid 1 -o s --repeat 2 --duration 1s|without --repeat",
            "record --suggested=1h --pid 1 -o s|1ms to 10m",
            "record --suggested --pid 1 --target a --pid 2 --target b -o s|of one target",
            "record --probe f --pid 1 -o s|BIN:FUNC",
            "record --probe b:f -o s|--pid",
            "record --probe b:f --pid 1 -o s -- ls|--cgroup PATH or a command",
            "record --probe b:f --pid 1 --cgroup a.service -o s|--cgroup PATH or a command",
            "record --probe b:f --cgroup= -o s|No cgroup has an empty name",
            "record --probe syscall:read --cgroup a.service --follow -o s|--follow is of a process",
            "record --suggested --pid 1 --follow -o s|record one without the other",
            "record --suggested --cgroup a.service -o s|--suggested surveys one process",
            "record --probe b:f --pid 1|--output",
            "record --probe b:f --pid x -o s|'x'",
            "record --probe b:f --pid 0 -o s|number 0",
            "record --probe b:f --pid -5 -o s|-5",
            "record --probe b:f --pid 1 -o s --duration 10|'10'",
            "record --probe b:f --pid 1 -o s --duration 0s|'0s'",
            "record --probe b:f --pid 1 -o s --filter best|'best'",
            "record --probe b:f --pid 1 -o s --budget 0%|'0%'",
            "record --probe b:f --pid 1 -o s --budget much|'much'",
            "record --probe b:f --pid 1 -o s --colour|--colour",
            "record --probe b:f -o s ls -la|Unknown option: '-la'; options of a program that is started go behind --",
            "record --probe b:f --pid 1 -o s --repeat 0|--repeat",
            "record --probe b:f --pid 1 -o s --repeat many|'many'",
            "record --probe b:f --pid 1 -o s --repeat 3|--duration",
            "report|SESSION.kview",
            "report s --json --csv f|mutually exclusive",
            "compare a|Give two",
            "compare|Which sessions",
            "compare a b --a c d --b e f|not both",
            "compare --a c d|2 sessions of A and 0 of B",
            "compare --a c d --b e|two and more of each",
            "compare a b --min-effect=-1|-1",
            "compare a b --fail-on-regression|--single",
            "compare --a c d --b e f --fail-on-regression=10|three",
            "compare a b --json --html f|mutually exclusive",
            "compare a b --fail-on-regression=much|'much'",
            "compare --fail-on-regression a b --single|'a' is no percentage, which stands after '='",
            "compare a b --fail-on-regression=-1 --single|-1",
            "compare-programs --a ls --b ls --probe b:f|--output",
            "compare-programs --a ls --probe b:f -o f|--b",
            "compare-programs --a ls --b ls -o f|Which functions",
            "compare-programs --a ls --b ls --probe-a b:f -o f|both of --probe-a and --probe-b",
            "compare-programs --a ls --b ls --probe b:f -o f -n 2|--recordings takes a number from 3",
            "compare-programs --a ls --b ls --probe b:f -o /proc|/proc exists already",
            "compare-programs --a ls --b ls --probe b:f -o f --min-effect=-1|-1",
            "compare-programs --a ls;id --b ls --probe b:f -o f|takes a shell, because of ;",
            "record --pid 1 --probe b:f -o f --when arg9>1|--when, column 1: 'arg9' is in no register",
            "record --pid 1 --probe b:f -o f --when arg0>1 --when f:arg0>|--when, column 8: a number is missing",
            "record --pid 1 --probe b:f -o f --when arg0>1 --when arg1>1|two conditions for all functions",
            "calls|SESSION.kview",
            "calls s --json --csv|mutually exclusive",
            "calls s --top 0|--top takes a number from 1",
            "calls s --top many|'many'",
            "calls s --where wall|--where, column 5: a comparison is missing",
            "export s|--ctf",
            "export s --hlog f --pprof g|mutually exclusive",
            "export s --ctf f --parquet g|mutually exclusive",
            "export s --parquet g --tids|--tids goes with --pprof",
            "export s --hlog f --tids|--tids goes with --pprof",
            "demo --seconds 0|--seconds",
            "doctor now|now"})
    void wrongArgumentsExitWith2AndSayWhich(String line, String says) {
        assertThat(run(line)).isEqualTo(2);
        assertThat(said()).startsWith("kview: ").contains(says).contains("--help' tells");
        assertThat(out.size()).as("nothing on standard output").isZero();
    }

    @Test
    void aTargetThatIsNotReachedExitsWith3() {
        System.setProperty("kview.agent", "/bin/true");
        assertThat(run("doctor --target me@nowhere.invalid:22")).isEqualTo(3);
        assertThat(said()).contains("nowhere.invalid").hasLineCount(1);
        assertThat(run("doctor --target host:port")).isEqualTo(3);
        assertThat(said()).contains("[user@]host[:port]");
    }

    @Test
    void noAgentExitsWith3() {
        System.setProperty("kview.agent", "/nonexistent/agent");
        assertThat(run("doctor")).isEqualTo(3);
        assertThat(said()).contains("/nonexistent/agent").hasLineCount(1);
    }

    @Test
    void noSuchSessionExitsWith1() {
        assertThat(run("compare /nonexistent.kview /neither.kview")).isEqualTo(1);
        assertThat(said()).contains("/nonexistent.kview").hasLineCount(1);
        err.reset();
        assertThat(run("report /nonexistent.kview --json")).isEqualTo(1);
        assertThat(said()).contains("/nonexistent.kview").hasLineCount(1);
        assertThat(out.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "demo --help", "doctor --help", "survey --help", "flow --help", "views --help", "count --help", "functions --help", "record -h", "report --help", "calls --help", "compare --help", "compare-programs --help", "export --help",
            "open --help"})
    void helpIsAResult(String line) {
        assertThat(run(line)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("Usage: kview").contains("xample")
                .matches(text -> text.lines().allMatch(l -> l.length() <= 100), "no line is longer than 100");
        assertThat(said()).isEmpty();
    }

    @Test
    void theVersionIsAResult() {
        assertThat(run("--version")).isZero();
        assertThat(out).hasToString("Kview Workbench 1.2.3" + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({"500ms,500", "10s,10000", "2m,120000", "1.5h,5400000", "0.25s,250"})
    void readsTimes(String text, long millis) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-1s", "1 s", "1e3s", "5S", "9999999999s", "800h", "0ms"})
    void refusesWhatIsNoTime(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text)).isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void makesPathsOfProbesAbsolute() {
        String here = java.nio.file.Path.of("").toAbsolutePath().toString();
        assertThat(new ProbeConverter().convert("./a:f").binary()).isEqualTo(here + "/a");
        assertThat(new ProbeConverter().convert("libc.so.6:malloc").binary()).isEqualTo("libc.so.6");
    }

    @ParameterizedTest
    @CsvSource({"NOT_REACHED,3", "CONNECTION_LOST,3", "UNSUPPORTED,4", "NO_PERMISSION,4", "NO_SUCH_PROCESS,1",
            "STRIPPED,1", "NO_SUCH_FUNCTION,1", "FAILED,1"})
    void failuresHaveTheContractsExitCodes(Kind kind, int code) {
        assertThat(ExitCode.of(kind)).isEqualTo(code);
    }
}
