// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.SessionJsonReader;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.json.ValuesJson;
import org.kview.session.report.FunctionNotes;
import org.kview.session.report.SessionText;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a later version adds without a change of meaning is passed over, and is no damage. */
class NewerSessionTest {
    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot written;

    @BeforeEach
    void record() throws Exception {
        session = temp.resolve("a.kview");
        written = SampleRecording.record(session);
    }

    /** Changes session.json as a program that knows more may have written it. */
    private void change(UnaryOperator<ObjectNode> how) throws Exception {
        Path json = session.resolve("session.json");
        ObjectNode root = (ObjectNode) ValuesJson.MAPPER.readTree(Files.readAllBytes(json));
        Files.write(json, SessionJsonWriter.sign(how.apply(root)));
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void membersThatAreNotKnownArePassedOver() throws Exception {
        change(root -> {
            root.put("colour", "blue");
            ((ObjectNode) root.get("session")).putObject("weather").put("rain", true);
            ((ObjectNode) root.get("losses")).put("pencils", 3);
            ObjectNode function = (ObjectNode) root.get("functions").get(0);
            function.put("kind", "dreamt").put("subject", 17);
            ((ObjectNode) function.get("metrics")).putObject("energy").put("count", 3).put("total_uj", 12);
            root.putArray("subjects").addObject().put("id", 0).put("kind", "cgroup").put("cgroup", "/web.slice");
            return root;
        });
        LatencySnapshot read = read();
        assertThat(read.problems()).isEmpty();
        assertThat(read.functions()).isEqualTo(written.functions());
        assertThat(read.info().provenance().processes()).singleElement()
                .satisfies(s -> assertThat(s.kind()).isEqualTo("cgroup"));
    }

    @Test
    void aProbePointOfAKindThatIsNotKnownIsNamed() throws Exception {
        change(root -> {
            ObjectNode function = (ObjectNode) root.get("functions").get(0);
            function.put("mechanism", "dream").putObject("point").put("kind", "gpu_kernel").put("grid", 7);
            return root;
        });
        LatencySnapshot read = read();
        assertThat(read.problems()).isEmpty();
        FunctionLatency function = read.functions().getFirst();
        assertThat(function.function().point()).isEqualTo(new ProbePoint.Unknown("gpu_kernel", "/usr/bin/checkout"));
        assertThat(function.function().mechanism()).isEqualTo(new Mechanism("dream"));
        assertThat(function.distributions()).isEqualTo(written.functions().getFirst().distributions());
        assertThat(FunctionNotes.of(function)).contains("a probe point of a kind that this version does not know: gpu_kernel");
        assertThat(read.functions().subList(1, 4)).isEqualTo(written.functions().subList(1, 4));
    }

    @Test
    void aScopeOfAKindThatIsNotKnownIsNamed() throws Exception {
        change(root -> {
            ((ObjectNode) root.get("session")).putArray("scopes").addObject().put("kind", "flow").put("queue", 3);
            return root;
        });
        LatencySnapshot read = read();
        assertThat(read.problems()).isEmpty();
        assertThat(read.info().scopes()).containsExactly(new Scope.Unknown("flow", 0));
        assertThat(read.info().pid()).isZero();
        assertThat(new SessionText(read).title()).doesNotContain("pid");
        assertThat(read.functions()).isEqualTo(written.functions());
    }

    /** The process is known all the same, and with it what tells it from a later one of its number. */
    @Test
    void aSessionFromBeforeScopesIsOfItsProcess() throws Exception {
        change(root -> {
            ((ObjectNode) root.get("session")).remove("scopes");
            root.putArray("subjects").addObject().put("id", 0).put("kind", "process").put("pid", 4711).put("start_ns", 81);
            return root;
        });
        assertThat(read().info().scopes()).containsExactly(new Scope.Process(4711, 81));
        change(root -> {
            root.remove("subjects");
            return root;
        });
        assertThat(read().info().scopes()).containsExactly(new Scope.Process(4711, 0));
        assertThat(read().info().pid()).isEqualTo(4711);
    }

    @Test
    void aScopeThatIsAProcessWithoutANumberIsDamage() throws Exception {
        change(root -> {
            ((ObjectNode) root.get("session")).putArray("scopes").addObject().put("kind", "process").put("pid", 0);
            return root;
        });
        assertThatThrownBy(this::read).isInstanceOf(SessionException.class).hasMessageContaining("session.scopes[0]");
    }

    /** Between two lines that are known, which keep what belongs to them. */
    @Test
    void tagsAndCommentsOfTheLogThatAreNotKnownArePassedOver() throws Exception {
        Path log = session.resolve("latency.hlog");
        List<String> lines = new java.util.ArrayList<>();
        for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("#[Totals: 0:price_basket:wall")) {
                lines.add("#[Weather: rain]");
                lines.add("Tag=0:price_basket:energy,0.000,0.500,1.0,HISTFAAAAA");
                lines.add("#[Calls: 0 end=0.500000000 calls=1 dreamt=7]");
            }
            lines.add(line);
        }
        Files.write(log, lines, StandardCharsets.ISO_8859_1);
        change(root -> {
            root.putObject("latency_log").put("bytes", log.toFile().length());
            return root;
        });
        assertThat(read().problems()).isEmpty();
        assertThat(read().functions()).isEqualTo(written.functions());
    }

    @Test
    void aStateThatIsNotKnownIsNamed() throws Exception {
        change(root -> {
            ((ObjectNode) root.get("session")).put("state", "melted");
            return root;
        });
        assertThat(read().problems()).containsExactly("How the recording ended (\"melted\") is not known to this version.");
        assertThat(read().info().state()).isEqualTo(SessionInfo.State.STOPPED);
        assertThat(read().functions()).isEqualTo(written.functions());
    }

    @Test
    void aKindThatIsNotKnownIsRefusedWithWhatToDo() throws Exception {
        change(root -> root.put("kind", "profile"));
        assertThatThrownBy(this::read).isInstanceOf(SessionException.class).hasMessageContaining("\"profile\"")
                .hasMessageContaining("update");
        assertThat(SessionJsonReader.isNewer(Files.readAllBytes(session.resolve("session.json")))).isTrue();
    }

    /** Each kind has its own versions. */
    @Test
    void aRecordingOfAHigherVersionIsNewer() throws Exception {
        change(root -> root.put("schema", "kview-session/4"));
        assertThatThrownBy(this::read).isInstanceOf(SessionException.class).hasMessageContaining("newer")
                .hasMessageContaining("kview-session/3");
    }

    @Test
    void aSessionFromBeforeKindsOpens() throws Exception {
        change(root -> {
            root.remove("kind");
            root.remove("subjects");
            root.get("functions").forEach(f -> ((ObjectNode) f).remove(List.of("kind", "subject")));
            return root;
        });
        assertThat(read().problems()).isEmpty();
        assertThat(read().functions()).isEqualTo(written.functions());
    }
}
