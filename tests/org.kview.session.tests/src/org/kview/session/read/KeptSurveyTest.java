// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.model.SurveyFindings;
import org.kview.model.SurveyFindings.FunctionTime;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SampleSurvey;
import org.kview.session.SessionException;
import org.kview.session.format.SurveyFile;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.session.write.SessionWriter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class KeptSurveyTest {
    @TempDir
    private Path temp;

    private Path session() throws SessionException {
        Path session = temp.resolve("a.kview");
        try (SessionWriter writer = SampleRecording.begin(session)) {
            writer.setSurvey(SampleSurvey.findings());
            assertThat(writer.snapshot().survey()).contains(SampleSurvey.findings());
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return session;
    }

    private static LatencySnapshot read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void whatASurveyFoundIsKeptAndTold() throws Exception {
        LatencySnapshot figures = read(session());
        assertThat(figures.problems()).isEmpty();
        assertThat(figures.survey()).contains(SampleSurvey.findings());
        assertThat(figures.withProblem("x").survey()).isPresent();
        assertThat(TableReport.of(figures, TableStyle.PLAIN).replaceAll("\\s+", " ")).contains("A survey of 3.00 s came before the recording."
                + " It saw 6.00 s of 2 threads: on-CPU 50 %, lock 50 %; it suggested price_basket. It was ended before its time was over."
                + " 2 stacks were lost, which stood for 9.00 ms: where that time went is known less surely. There were more threads than"
                + " the agent follows: the time of the others is not in here. 3 stacks count in shorter ones,");
        JsonNode survey = new ObjectMapper().readTree(JsonReport.of(figures)).get("survey");
        assertThat(survey.get("suggested").get(0).get("probe").textValue()).isEqualTo("checkout:price_basket");
        assertThat(survey.get("functions")).hasSize(3);
        assertThat(survey.get("functions").get(2).has("probe")).isFalse();
        assertThat(survey.get("did_not_return").get(0).get("always_there").booleanValue()).isTrue();
        assertThat(survey.get("threads").get(1).get("time_ns").get("lock").longValue()).isEqualTo(3_000_000_000L);
        assertThat(survey.get("stacks").get("unfollowed_threads").longValue()).isEqualTo(4);
    }

    @Test
    void whatWasSuggestedAndNotMeasuredIsTold() throws Exception {
        SurveyFindings findings = SampleSurvey.findings();
        FunctionTime slow = findings.suggested().getFirst();
        List<FunctionTime> suggested = new ArrayList<>(List.of(slow, new FunctionTime("checkout:pay", "pay", "pay", slow.binary(), false,
                1, 1, false, Map.of(Metric.ON_CPU, 1L))));
        for (int i = 1; i < 4; i++) {
            suggested.add(new FunctionTime("checkout:_Z" + i, "_Z" + i, "_Z" + i, slow.binary(), false, 1, 1, false, Map.of()));
        }
        Path session = temp.resolve("a.kview");
        try (SessionWriter writer = SampleRecording.begin(session)) {
            writer.setSurvey(new SurveyFindings(findings.process(), findings.durationNanos(), "", findings.cost(),
                    new SurveyFindings.Stacks(1000, 900, 1, 1, 0, 0, 0, 0), findings.nanos(), findings.threads(), findings.functions(),
                    suggested, List.of()));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        assertThat(TableReport.of(read(session), TableStyle.PLAIN).replaceAll("\\s+", " ")).contains("A survey of 3.00 s chose the functions.",
                "it suggested price_basket, pay, _Z1, _Z2, _Z3. Of what it suggested, pay was not measured."
                + " 100 of 1,000 stacks do not go to the start of their thread: callers are missing there.");
    }

    @Test
    void sessionsWithoutOneSayNothingOfIt() throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        LatencySnapshot figures = read(session);
        assertThat(figures.survey()).isEmpty();
        assertThat(TableReport.of(figures, TableStyle.PLAIN)).doesNotContain("survey");
        assertThat(JsonReport.of(figures)).doesNotContain("survey");
    }

    @Test
    void isInAZipToo() throws Exception {
        Path zip = temp.resolve("a.kview.zip");
        SessionCopy.toZip(session(), zip, "a.kview", Progress.NONE);
        assertThat(read(zip).survey()).contains(SampleSurvey.findings());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"|schema is missing", "{|no JSON", "[]|schema is missing",
            "{\"schema\":\"kview-survey/2\"}|newer", "{\"schema\":\"kview-survey/1\"}|is missing"})
    void aDamagedOneIsToldAndTheRestOpens(String text, String problem) throws Exception {
        Path session = session();
        Files.writeString(session.resolve("survey.json"), text == null ? "" : text);
        LatencySnapshot figures = read(session);
        assertThat(figures.survey()).isEmpty();
        assertThat(figures.problems()).singleElement().asString().contains("survey.json", problem);
        assertThat(figures.functions()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"3000000000|9223372036854775807|add up to", "\"pid\" : 4711|\"pid\" : -1|negative",
            "\"kernel\" : true|\"kernel\" : 1|true or false", "\"tid\" : 4711|\"tid\" : 1.5|whole number"})
    void whatCannotBeIsNotBelieved(String was, String is, String problem) {
        String text = new String(SurveyFile.encode(SampleSurvey.findings()), StandardCharsets.UTF_8);
        assertThat(text).contains(was);
        assertThatThrownBy(() -> SurveyFile.decode(text.replace(was, is).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(SessionException.class).hasMessageContaining(problem);
    }

    @Test
    void whatANewerVersionAddsIsPassedOver() throws Exception {
        String text = new String(SurveyFile.encode(SampleSurvey.findings()), StandardCharsets.UTF_8);
        SurveyFindings read = SurveyFile.decode(text.replace("\"lock\"", "\"io_uring\"").replace("\"command\"", "\"new\" : {}, \"command\"")
                .getBytes(StandardCharsets.UTF_8));
        assertThat(read.nanos()).isEqualTo(Map.of(Metric.ON_CPU, 3_000_000_000L));
    }
}
