// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.ComparedWays;
import org.kview.model.CostToOthers.Interval;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.HostInfo.Capability;
import org.kview.targets.values.InstructionCost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class DoctorReportTest {
    private static final HostInfo HOST = new HostInfo("box", "6.18.0", "x86_64", 4, 0, "1.0", 0,
            List.of(new Capability("uprobe_multi", true, "Probes are set all at once.", true),
                    new Capability("kprobe", false, "Kernel functions can't be probed.", false)), "", "");
    private static final Calibration COSTS = new Calibration(List.of(
            new Calibration.ProbeCost(InstructionCost.SINGLE_STEPPED, ExitKind.RETURN_SITES,
                    InstructionCost.SINGLE_STEPPED, 9000, 19000),
            new Calibration.ProbeCost(InstructionCost.EMULATED, ExitKind.URETPROBE, InstructionCost.UNKNOWN, 663,
                    1530)), 220, "", List.of());

    @Test
    void tellsPeople() {
        assertThat(new DoctorReport("local", HOST, Optional.of(COSTS), "").text()).isEqualTo("""
                local: host box, Linux 6.18.0, x86_64, 4 CPUs; agent 1.0 running as uid 0
                Functions can be recorded here.

                  yes           uprobe_multi  Probes are set all at once.
                  no            kprobe        Kernel functions can't be probed.

                What a probed call costs, by the instructions at the function's entry and exit:
                  entry          exit                                     a call    of that, subtracted
                  emulated       return address replaced                 1.53 µs                 663 ns
                  single-stepped probe on each return, single-stepped    19.0 µs                9.00 µs
                While a recording runs, a context switch of any other process takes 220 ns longer.
                """);
    }

    @Test
    void saysThatCostsAreNotSure() {
        Calibration disturbed = new Calibration(COSTS.probes(), 220, "What the probes cost did not settle.", List.of());
        DoctorReport report = new DoctorReport("local", HOST, Optional.of(disturbed), "");
        assertThat(report.text()).endsWith("longer.\nWhat the probes cost did not settle.\n");
        assertThat(report.json()).contains("\"note\" : \"What the probes cost did not settle.\"");
    }

    @Test
    void comparedWaysAreATableAndNumbers() throws Exception {
        ComparedWays ways = new ComparedWays("local", "6.18.0", "x86_64", 4, Instant.EPOCH, List.of(
                new ComparedWays.Way(ComparedWays.Kind.CALL_VIEW, "There is no module.", List.of(), 0, ""),
                new ComparedWays.Way(ComparedWays.Kind.CALL_IN, "", List.of(new ComparedWays.Cost("read()", 60, 200,
                        Optional.of(new Interval(440, 420, 460)), Optional.of(new Interval(140, 130, 150)))), 90, "")));
        WaysReport report = new WaysReport(HOST, ways, 1_000_000);
        assertThat(report.text().lines().toList()).startsWith("local: host box, Linux 6.18.0, x86_64, 4 CPUs", "",
                "  Way                                       The recorded process, a call        Others, a call                      Others,"
                        + " a switch  Others, 1,000,000 calls/s",
                "  View: the system call                     –                                   –                                   –     "
                        + "            –",
                "  In eBPF: the system call, by tracepoints  +440.0 ns (+420.0 ns to +460.0 ns)  +140.0 ns (+130.0 ns to +150.0 ns)  –     "
                        + "            14 % of a CPU");
        JsonNode json = new ObjectMapper().readTree(report.json());
        assertThat(json.path("schema").asText()).isEqualTo("kview-ways/1");
        assertThat(json.path("ways").path(0).path("missing").asText()).isEqualTo("There is no module.");
        assertThat(json.path("ways").path(1).path("costs").path(0).path("others").path("more_ns").asDouble()).isEqualTo(140);
        assertThat(json.path("ways").path(1).path("others_cpus").asDouble()).isEqualTo(0.14);
    }

    @Test
    void whatIsNotToldApartFromNothingTakesNoCpu() throws Exception {
        ComparedWays ways = new ComparedWays("local", "6.18.0", "x86_64", 4, Instant.EPOCH, List.of(
                new ComparedWays.Way(ComparedWays.Kind.CALL_VIEW, "", List.of(new ComparedWays.Cost("read()", 60, 200,
                        Optional.of(new Interval(440, 420, 460)), Optional.of(new Interval(2, -3, 5)))), 0, "")));
        JsonNode way = new ObjectMapper().readTree(new WaysReport(HOST, ways, 1_000_000).json()).path("ways").path(0);
        assertThat(way.path("costs").path(0).path("others").path("more_ns").asDouble()).isEqualTo(2);
        assertThat(way.has("others_cpus")).isFalse();
    }

    @Test
    void otherWaysStandBesideThem() {
        DoctorReport report = new DoctorReport("local", HOST, Optional.of(new Calibration(COSTS.probes(), 220, "", List.of(
                new Calibration.WayCost("system calls, filtered in eBPF", 290, "Others pay 169 to 289 ns a call.", ""),
                new Calibration.WayCost("functions of the kernel, in a view", 0, "", "There is no module.")))), "");
        assertThat(report.text()).endsWith("""
                longer.

                What other ways to measure cost, a call and other processes:
                  system calls, filtered in eBPF: 290 ns a call. Others pay 169 to 289 ns a call.
                  functions of the kernel, in a view: not here. There is no module.
                """);
        assertThat(report.json()).contains("\"ways\" : [", "\"missing\" : \"There is no module.\"");
    }

    @Test
    void tellsPrograms() {
        assertThat(new DoctorReport("local", HOST, Optional.of(COSTS), "").json())
                .contains("\"schema\" : \"kview-doctor/1\"").contains("\"can_record\" : true")
                .contains("\"switch_ns\" : 220").contains("\"call_ns\" : 1530").contains("\"entry\" : \"emulated\"");
    }

    @Test
    void saysWhatARecordingLacks() {
        HostInfo poor = new HostInfo("box", "5.0", "x86_64", 1, 1000, "1.0", 0,
                List.of(new Capability("bpf", false, "eBPF takes root.", true)), "", "");
        DoctorReport report = new DoctorReport("local", poor, Optional.empty(), "Be root.");
        assertThat(report.missing()).isEqualTo("bpf");
        assertThat(report.text()).contains("Nothing can be recorded").contains("no, required  bpf")
                .contains("not measured: Be root.");
        assertThat(report.json()).contains("\"costs\" : null").contains("Be root.");
    }
}
