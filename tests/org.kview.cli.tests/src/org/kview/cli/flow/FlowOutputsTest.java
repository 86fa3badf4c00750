// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.kview.model.Metric;
import org.kview.recording.flow.FlowOutput;
import org.kview.recording.flow.FlowReport;
import org.kview.targets.values.Flow;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.Stretch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class FlowOutputsTest {
    private static final long US = 1000;
    private static final long MS = 1000 * US;
    private static final Flow.Losses NONE = new Flow.Losses(0, 0, 0, 0, 0, 0, 0);
    private static final List<String> NAMES = List.of("__x64_sys_read", "vfs_read", "pipe_read", "mutex_lock", "mutex_unlock",
            "evil\u001b[2J;\nname");

    /** Of 60 ms it waits for 50. */
    private static Flow.Call waiting() {
        return new Flow.Call(4243, "wor;ker\u0007", 3_310 * MS, 60 * MS, 10 * MS, -11, List.of(new Flow.Enter(0, 0),
                new Flow.Enter(2 * MS, 1), new Flow.Enter(3 * MS, 2), new Flow.Enter(4 * MS, 3), new Flow.Leave(4 * MS + 10 * US, true),
                new Flow.Enter(4 * MS + 20 * US, 4), new Flow.Leave(4 * MS + 30 * US, true), new Flow.Enter(4 * MS + 40 * US, 3),
                new Flow.Leave(4 * MS + 50 * US, true), new Flow.Wait(5 * MS, 50 * MS, Metric.NETWORK, 200 * US, true),
                new Flow.Leave(56 * MS, true), new Flow.Enter(57 * MS, 5), new Flow.Leave(58 * MS, true), new Flow.Leave(59 * MS, true),
                new Flow.Leave(60 * MS, true)), 0, 0);
    }

    /** Of its 40 ms 30 are not told. */
    private static Flow.Call cut() {
        return new Flow.Call(4242, "main", 3_000 * MS, 40 * MS, 15 * MS, 512, List.of(new Flow.Enter(0, 0), new Flow.Enter(2 * MS, 1),
                new Flow.Enter(3 * MS, 2), new Flow.Enter(4 * MS, 3), new Flow.Leave(8 * MS, false), new Flow.Leave(8 * MS, true),
                new Flow.Enter(8 * MS, 3), new Flow.Wait(9 * MS, MS, Metric.BLOCK_IO, MS, true), new Flow.Wait(11 * MS, 0, Metric.LOCK, 0, false)),
                1234, 0);
    }

    private static Flow flow(Flow.Losses losses, String note, List<String> notes, long seen, Flow.Call... calls) {
        return new Flow(new ProcessInfo(4242, 1, new ProcessInfo.User(0, "root"), "shop",
                new ProcessInfo.Program("/bin/shop", List.of("/bin/shop", "-v")), 2, 0, 0, "/", false),
                new Stretch(1000 * MS, 6000 * MS, 1_000_000_000L * 1000 * MS), "__x64_sys_read", NAMES, List.of(calls),
                new Flow.Seen(seen, seen * 20 * MS), new Flow.View(41_202, 1203, 900 * MS, 80 * MS, 22 << 20), losses, note, notes);
    }

    private static String text(Flow flow, boolean all) {
        StringBuilder text = new StringBuilder();
        FlowOutput output = new FlowOutput(part -> text.append(part) != null);
        new FlowReport("read", flow, all).print(output);
        output.finish();
        return text.toString();
    }

    private static String json(Flow flow) {
        StringBuilder text = new StringBuilder();
        FlowOutput output = new FlowOutput(part -> text.append(part) != null);
        new FlowJson("root@web-3", "web-3", "read", flow).print(output);
        output.finish();
        return text.toString();
    }

    @Test
    void tellsPeople() {
        assertThat(text(flow(NONE, "", List.of(), 183, waiting(), cut()), false)).isEqualTo("""
                shop (pid 4242), 5.00 s: 183 calls of read were seen, 3.66 s in all; the 2 slowest of them:

                1: 60.0 ms, on-CPU 10.0 ms, failed with EAGAIN; thread wor;ker\uFFFD (4243), after 2.31 s
                      Wall    On CPU      Self  Function
                   60.0 ms   10.0 ms   3.00 ms  __x64_sys_read
                   57.0 ms   7.00 ms   3.00 ms    vfs_read
                   53.0 ms   3.00 ms   2.97 ms      pipe_read
                   30.0 µs   30.0 µs         -        (3 short calls: mutex_lock 2, mutex_unlock)
                   50.0 ms         -         -        [network] 200 µs of it in the run queue
                   1.00 ms   1.00 ms   1.00 ms      evil\uFFFD[2J;\uFFFDname

                2: 40.0 ms, on-CPU 15.0 ms, returned 512; thread main (4242), after 2.00 s
                      Wall    On CPU      Self  Function
                   11.0 ms   10.0 ms   2.00 ms  __x64_sys_read  (goes on in what is not told)
                   9.00 ms   8.00 ms   1.00 ms    vfs_read  (goes on in what is not told)
                   5.00 ms   5.00 ms   1.00 ms      pipe_read
                   4.00 ms   4.00 ms   4.00 ms        mutex_lock  (not seen to return, perhaps earlier)
                   3.00 ms   2.00 ms   2.00 ms      mutex_lock  (goes on in what is not told)
                   1.00 ms         -         -        [block I/O] all of it in the run queue
                      0 ns         -         -        [lock] (goes on in what is not told)
                   29.0 ms   5.00 ms         -  [not told] the rest of the call: no room for 1,234 steps

                In a kernel view of this process alone 41,202 functions of the kernel's image were hooked, 1,203 left out, and none of modules. It took 22 MiB, 900 ms to make and enter it, 80.0 ms to leave it.
                Each hooked function cost the process more meanwhile: the times are with that.
                """);
    }

    @Test
    void eachFunctionHasItsLineIfThatIsWanted() {
        assertThat(text(flow(NONE, "", List.of(), 1, waiting()), true)).doesNotContain("short calls").contains("1 call of read was seen, 20.0 ms in all; all of them:")
                .containsPattern("10\\.0 µs   10\\.0 µs   10\\.0 µs        mutex_unlock\n");
    }

    @Test
    void waitsAreNotHiddenWhereFunctionsShareALine() {
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0)));
        for (int i = 1; i < 8; i++) {
            steps.add(new Flow.Enter(i * 10 * US, i == 4 ? 2 : 3));
            steps.addAll(i == 4 ? List.of(new Flow.Wait(41 * US, 5 * US, Metric.LOCK, 0, true)) : List.of());
            steps.add(new Flow.Leave(i * 10 * US + 8 * US, true));
        }
        steps.add(new Flow.Leave(10 * MS, true));
        assertThat(text(flow(NONE, "", List.of(), 1, new Flow.Call(1, "t", 1000 * MS, 10 * MS, 10 * MS - 5 * US, 0, steps, 0, 0)), false)).contains("""
                   24.0 µs   24.0 µs         -    (3 short calls: mutex_lock 3)
                   8.00 µs   3.00 µs   3.00 µs    pipe_read
                   5.00 µs         -         -      [lock]
                   24.0 µs   24.0 µs         -    (3 short calls: mutex_lock 3)
                """);
    }

    @Test
    void nothingIsSaidOfCallsThatWereNotSeen() {
        assertThat(text(flow(new Flow.Losses(0, 0, 0, 0, 1, 1, 0), "", List.of(), 0), false)).startsWith(
                "shop (pid 4242), 5.00 s: no call of read was seen to begin and end\n")
                .contains("!! 1 call of read had not ended at the end, or can't end, and may be slower.\n")
                .contains("!! 1 call of read was under way as this began, perhaps more: not among those that were seen, and may be slower.\n")
                .doesNotContain("slowest");
        assertThat(text(flow(NONE, "", List.of(), 2, cut()), false)).contains("2 calls of read were seen, 40.0 ms in all; the slowest of them:");
    }

    @Test
    void allThatIsMissingIsSaid() throws Exception {
        Flow flow = flow(new Flow.Losses(1001, 1002, 1003, 1004, 1005, 1006, 1007), "The process has ended.", List.of("Another has it in a view.",
                "It left\u001b the view."), 9, waiting());
        assertThat(text(flow, false)).endsWith("""
                !! The process has ended.
                !! 1,001 calls of read were not followed to the end, for want of memory or as the return was not seen, and may have been slower.
                !! 1,005 calls of read had not ended at the end, or can't end, and may be slower.
                !! 1,006 calls of read were under way as this began, perhaps more: not among those that were seen, and may be slower.
                !! 1,002 calls of functions were not seen, in read or elsewhere, as an eBPF program was running on that CPU or made it: what is missing in a tree is time of its caller there.
                !! 1,003 context switches within read were not seen, as an eBPF program was running on that CPU: a wait may stand as time on a CPU.
                !! 1,004 functions in these calls were not seen to return, and may have done so earlier than it seems.
                !! 1,007 calls of functions in interrupts and softirqs, within read or elsewhere, not followed: their time is that of the function that they came in.
                !! Another has it in a view.
                !! It left\uFFFD the view.
                """);
        JsonNode json = new ObjectMapper().readTree(json(flow));
        assertThat(json.get("note").textValue()).isEqualTo("The process has ended.");
        assertThat(json.get("notes")).hasSize(2);
        assertThat(json.get("losses").toString()).isEqualTo("{\"calls\":1001,\"nested_functions\":1002,\"nested_switches\":1003,"
                + "\"missed_returns\":1004,\"unended_calls\":1005,\"calls_under_way\":1006,\"interrupt_functions\":1007}");
    }

    /** In the tree they are time on a CPU, in the call they are not. */
    @Test
    void waitsThatNoStepTellsAreSaid() throws Exception {
        Flow flow = flow(NONE, "", List.of(), 9, new Flow.Call(1, "t", 1000 * MS, 10 * MS, 4 * MS, 0,
                List.of(new Flow.Enter(0, 0), new Flow.Leave(10 * MS, true)), 0, 2));
        assertThat(text(flow, false)).contains("1: 10.0 ms, on-CPU 4.00 ms", "!! 6.00 ms of its waits are in no step: above they stand as time on a CPU.",
                "!! 2 context switches in this call not seen, or at one end alone");
        JsonNode call = new ObjectMapper().readTree(json(flow)).at("/calls/0");
        assertThat(call.get("hidden_waits_ns").longValue()).isEqualTo(6 * MS);
        assertThat(call.get("unseen_switches").longValue()).isEqualTo(2);
    }

    @Test
    void tellsPrograms() throws Exception {
        String text = json(flow(NONE, "", List.of(), 183, waiting(), cut()));
        assertThat(text).as("characters that control terminals").doesNotContain("\u001b", "\u0007");
        JsonNode json = new ObjectMapper().readTree(text);
        assertThat(json.get("schema").textValue()).isEqualTo("kview-flow/1");
        assertThat(json.get("start").textValue()).isEqualTo("2001-09-09T01:46:41Z");
        assertThat(json.get("duration_ns").longValue()).isEqualTo(5000 * MS);
        assertThat(json.get("seen").toString()).isEqualTo("{\"calls\":183,\"wall_ns\":3660000000}");
        assertThat(json.get("view").toString()).isEqualTo("{\"hooked\":41202,\"not_hooked\":1203,\"attach_ns\":900000000,"
                + "\"detach_ns\":80000000,\"memory_bytes\":23068672}");
        JsonNode call = json.at("/calls/0");
        assertThat(call.get("thread").textValue()).isEqualTo("wor;ker\u0007");
        assertThat(call.get("begin_ns").longValue()).isEqualTo(2_310 * MS);
        assertThat(call.get("result").longValue()).isEqualTo(-11);
        assertThat(call.get("error").textValue()).isEqualTo("EAGAIN");
        assertThat(call.get("tree").findValuesAsText("depth")).containsExactly("0", "1", "2", "3", "3", "3", "3", "2");
        assertThat(call.at("/tree/2").toString()).isEqualTo("{\"depth\":2,\"function\":\"pipe_read\",\"begin_ns\":3000000,"
                + "\"wall_ns\":53000000,\"on_cpu_ns\":3000000,\"self_ns\":2970000,\"end\":\"returned\"}");
        assertThat(call.at("/tree/6").toString()).isEqualTo("{\"depth\":3,\"wait\":\"network\",\"begin_ns\":5000000,"
                + "\"wall_ns\":50000000,\"run_queue_ns\":200000,\"ended\":true}");
        assertThat(call.at("/tree/7/function").textValue()).as("whole").isEqualTo(NAMES.getLast());
        JsonNode cut = json.at("/calls/1");
        assertThat(cut.has("error")).isFalse();
        assertThat(cut.get("not_told").toString()).isEqualTo("{\"steps\":1234,\"wall_ns\":29000000,\"waited_ns\":24000000}");
        assertThat(cut.get("tree").findValuesAsText("end")).containsExactly("goes_on", "goes_on", "returned", "not_seen", "goes_on");
    }

    @Test
    void aFlowWithoutCallsIsJson() throws Exception {
        assertThat(new ObjectMapper().readTree(json(flow(NONE, "", List.of(), 0))).get("calls")).isEmpty();
    }

    /** Readers of JSON refuse what is nested far less deeply. */
    @Test
    void aDeepTreeIsReadable() throws Exception {
        int depth = 5000;
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0)));
        for (int i = 1; i < depth; i++) {
            steps.add(new Flow.Enter(i, 1));
        }
        Flow flow = flow(NONE, "", List.of(), 1, new Flow.Call(1, "t", 1000 * MS, depth, depth, 0, steps, 9, 0));
        assertThat(text(flow, false)).contains("(4,800 calls below it not shown: nested too deeply)");
        JsonNode tree = new ObjectMapper().readTree(json(flow)).at("/calls/0/tree");
        assertThat(tree).hasSize(200);
        assertThat(tree.get(199).get("too_deep").intValue()).isEqualTo(4800);
        assertThat(tree.get(198).has("too_deep")).isFalse();
    }

    /** All of their time, and two calls of the same way are one line. */
    @Test
    void foldsForFlameGraphs() {
        List<String> parts = new ArrayList<>();
        FlowOutput output = new FlowOutput(parts::add);
        FoldedFlow.of(flow(NONE, "", List.of(), 9, waiting(), waiting(), cut())).print(output);
        output.finish();
        List<String> lines = Arrays.asList(String.join("", parts).split("\n"));
        assertThat(lines).contains("wor,ker\uFFFD;__x64_sys_read_[k];vfs_read_[k];pipe_read_[k];[network] 99600000",
                "wor,ker\uFFFD;__x64_sys_read_[k];vfs_read_[k];pipe_read_[k];[run queue] 400000",
                "wor,ker\uFFFD;__x64_sys_read_[k];vfs_read_[k];pipe_read_[k];mutex_lock_[k];[on-CPU] 40000",
                "wor,ker\uFFFD;__x64_sys_read_[k];vfs_read_[k];evil\uFFFD[2J,\uFFFDname_[k];[on-CPU] 2000000",
                "main;__x64_sys_read_[k];[not told] 29000000").doesNotHaveDuplicates();
        assertThat(lines.stream().mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1))).sum()).isEqualTo(160 * MS);
    }

    /** As where the output goes to a pager that is closed. */
    @Test
    void endsWhereNobodyReadsOn() {
        List<Flow.Step> steps = new ArrayList<>(List.of(new Flow.Enter(0, 0)));
        for (int i = 1; i < 50_000; i++) {
            steps.add(new Flow.Enter(i, 1));
            steps.add(new Flow.Leave(i, true));
        }
        Flow flow = flow(NONE, "", List.of(), 1, new Flow.Call(1, "t", 1000 * MS, 50_000, 50_000, 0, steps, 9, 0));
        List<String> parts = new ArrayList<>();
        FlowOutput output = new FlowOutput(part -> {
            parts.add(part);
            return false;
        });
        new FlowJson("local", "web", "read", flow).print(output);
        output.finish();
        assertThat(parts).hasSize(1);
        assertThat(parts.getFirst().length()).as("no more than a part").isLessThan(100_000);
    }
}
