// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.cli.console.Console;
import org.kview.model.Budget;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SurveyFindings;
import org.kview.model.SurveyFindings.FunctionTime;
import org.kview.recording.RecordingObserver.Step;
import org.kview.recording.SurveyChoice;
import org.kview.session.report.TableStyle;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionInfo.Language;
import org.kview.targets.values.InstructionCost;

class RecordingTellerTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final RecordingTeller teller = teller(false);

    private RecordingTeller teller(boolean terminal) {
        return new RecordingTeller(new Console(new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8), terminal, TableStyle.PLAIN), Budget.DEFAULT, false);
    }

    /** Each with a second name, that it can be called by. */
    private static List<FunctionInfo> functions(int number, boolean probeable) {
        return IntStream.range(0, number).mapToObj(i -> new FunctionInfo("f" + i,
                new ProbePoint.UserFunction("/bin/shop", "f" + i, i, i, 8), Language.C, probeable, probeable ? "" : "it is too short",
                new FunctionInfo.Ends(ExitKind.RETURN_SITES, 1, List.of()),
                new FunctionInfo.Price(InstructionCost.EMULATED, InstructionCost.EMULATED, 0), List.of("g" + i), 0)).toList();
    }

    private String found(List<FunctionInfo> functions, List<FunctionInfo> skipped) {
        err.reset();
        teller.found(functions, skipped, List.of());
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsUnderWayIsShownOnATerminalOnly() {
        teller.step(Step.TRYING);
        assertThat(err.size()).as("no terminal").isZero();
        teller(true).step(Step.TRYING);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("\r\033[Ka trial: counting calls for a second ...");
    }

    @Test
    void ofManyFunctionsTheFirstAreNamedAndTheOthersCounted() {
        assertThat(found(functions(1, true), functions(3, false))).contains("left out f2: it is too short", "probing 1 function.")
                .doesNotContain("more function");
        assertThat(found(functions(4, true), functions(4, false))).contains("left out 1 more function that can't be probed",
                "1 more function has other names, too", "probing 4 functions");
        assertThat(found(functions(5, true), functions(5, false))).contains("left out 2 more functions that can't be probed",
                "2 more functions have other names, too");
    }

    @Test
    void whatASurveyCouldNotSeeIsSaid() {
        FunctionTime pay = new FunctionTime("shop:pay", "pay", "pay", "/bin/shop", false, 7_000_000, 0, false,
                Map.of(Metric.LOCK, 7_000_000L));
        SurveyFindings survey = new SurveyFindings(new SurveyFindings.Surveyed(7, "shop"), 2_000_000_000L,
                "The process ended before the survey's time was over.", new SurveyFindings.Cost(1, 1, 1, 1, 1),
                new SurveyFindings.Stacks(10, 10, 1, 0, 2, 1_000_000, 0, 0), Map.of(), List.of(), List.of(pay), List.of(pay), List.of());
        teller.chosen(new SurveyChoice(survey, List.of(new SurveyChoice.Choice(pay, Optional.of(functions(1, true).getFirst()),
                Optional.empty(), "")), Optional.empty(), ""));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("a survey of 2.00 s found 1 function worth measuring.",
                "The process ended before the survey's time was over.\n",
                "2 stacks were lost, which stood for 1.00 ms: where that time went is known less surely.\n", "shop:pay");
    }
}
