// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A session.json whose checksum is right, but whose figures contradict each other or the log: none of these is shown as if it were right. */
class ContradictoryFiguresTest {
    @TempDir
    Path temp;

    private Path session(Consumer<ObjectNode> change) throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        Path json = session.resolve("session.json");
        ObjectNode root = (ObjectNode) ValuesJson.MAPPER.readTree(json.toFile());
        change.accept(root);
        Files.write(json, SessionJsonWriter.sign(root));
        return session;
    }

    private LatencySnapshot read(Consumer<ObjectNode> change) throws Exception {
        try (SessionReader reader = SessionReader.open(session(change))) {
            return reader.snapshot();
        }
    }

    private static ObjectNode function(ObjectNode root, int id) {
        return (ObjectNode) root.path("functions").path(id);
    }

    private static ObjectNode wall(ObjectNode figures) {
        return (ObjectNode) figures.path("metrics").path("wall");
    }

    @Test
    void percentilesOfSomeCallsAreNotThoseOfAll() throws Exception {
        LatencySnapshot found = read(root -> wall(function(root, 0)).put("count", 2 * wall(function(root, 0)).path("count").asLong()));
        assertThat(found.functions().getFirst().wall().hasBuckets()).isFalse();
        assertThat(found.functions().getFirst().onCpu().hasBuckets()).isTrue();
        assertThat(found.functions().get(1).wall().hasBuckets()).isTrue();
        assertThat(found.problems()).singleElement().asString()
                .startsWith("session.json and latency.hlog count different numbers of calls of 1 of 4 functions").contains("percentiles");
    }

    @Test
    void sumsOfCallsFit() throws Exception {
        assertThatThrownBy(() -> read(root -> {
            function(root, 0).put("calls", (1L << 51) + 1);
            function(root, 1).put("calls", (1L << 51) + 1);
        })).isInstanceOf(SessionException.class).hasMessage("session.json is damaged: functions have more calls than any session has");
    }

    @Test
    void aFigureHasALimit() throws Exception {
        assertThatThrownBy(() -> read(root -> wall(function(root, 2)).put("total_ns", Long.MAX_VALUE))).isInstanceOf(SessionException.class)
                .hasMessage("session.json is damaged: functions[2].metrics.wall.total_ns is more than any session has");
    }

    private static ObjectNode split(ObjectNode root, String... buckets) {
        ObjectNode function = function(root, 0).put("by", "arg0");
        ArrayNode values = function.putArray("values");
        for (String text : buckets) {
            ObjectNode wall = values.addObject().put("kind", "number").put("number", values.size()).put("uncertain_ns", 0)
                    .putObject("metrics").putObject("wall");
            wall.put("count", 2).put("total_ns", 2_000_000).put("max_ns", 1_100_000).put("buckets", text);
        }
        return function;
    }

    private static ObjectNode value(ObjectNode function, int index) {
        return (ObjectNode) function.path("values").path(index);
    }

    private void haveNoValues(Consumer<ObjectNode> change) throws Exception {
        LatencySnapshot found = read(root -> change.accept(split(root, "272:2", "272:2")));
        assertThat(found.functions().getFirst().values()).isEmpty();
        assertThat(found.functions().getFirst().wall().hasBuckets()).isTrue();
        assertThat(found.problems()).singleElement().asString().startsWith("The figures by value of 1 of 4 functions are left out");
    }

    @Test
    void valuesThatAreRightAreTold() throws Exception {
        LatencySnapshot found = read(root -> split(root, "272:2", "272:2"));
        assertThat(found.functions().getFirst().values()).hasSize(2);
        assertThat(found.problems()).isEmpty();
    }

    @Test
    void aValueStandsOnce() throws Exception {
        haveNoValues(function -> value(function, 1).put("number", 1));
    }

    @Test
    void callsOfValuesAreCallsOfTheFunction() throws Exception {
        haveNoValues(function -> {
            for (int i = 0; i < 2; i++) {
                long count = wall(function).path("count").asLong() - 1;
                wall(value(function, i)).put("count", count).put("buckets", "272:" + count);
            }
        });
    }

    @Test
    void timesOfValuesAreTimesOfTheFunction() throws Exception {
        haveNoValues(function -> wall(value(function, 0)).put("total_ns", wall(function).path("total_ns").asLong()));
    }

    @Test
    void noValueHasALargerMaximum() throws Exception {
        haveNoValues(function -> wall(value(function, 0)).put("max_ns", wall(function).path("max_ns").asLong() + 1));
    }

    @Test
    void wrongBucketsOfAValueLeaveTheSession() throws Exception {
        haveNoValues(function -> wall(value(function, 1)).put("buckets", "272:3"));
    }

    @Test
    void whatCannotBeIsASentence() throws Exception {
        assertThatThrownBy(() -> read(root -> function(root, 0).putObject("lost").put("too_deep", Long.MAX_VALUE)))
                .isInstanceOf(SessionException.class)
                .hasMessageStartingWith("session.json is damaged: functions[0].lost can't be right: ");
    }
}
