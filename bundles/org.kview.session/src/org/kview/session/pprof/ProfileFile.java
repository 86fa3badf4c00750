// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.model.SessionInfo;
import org.kview.session.pprof.StackFrames.Frame;
import org.kview.session.pprof.Stacks.Owner;

/**
 * Writes a profile as pprof's {@code profile.proto} describes it; it is not compressed here. Texts, mappings, functions and
 * locations get their numbers when they are first used. Each function has one location.
 */
final class ProfileFile {
    /** The fields of its messages, by the names there. */
    private static final int SAMPLE_TYPE = 1;
    private static final int SAMPLE = 2;
    private static final int MAPPING = 3;
    private static final int LOCATION = 4;
    private static final int FUNCTION = 5;
    private static final int STRING_TABLE = 6;
    private static final int TIME_NANOS = 9;
    private static final int DURATION_NANOS = 10;
    private static final int COMMENT = 13;
    private static final int DEFAULT_SAMPLE_TYPE = 14;
    private static final int VALUE_TYPE_TYPE = 1;
    private static final int VALUE_TYPE_UNIT = 2;
    private static final int SAMPLE_LOCATION_ID = 1;
    private static final int SAMPLE_VALUE = 2;
    private static final int SAMPLE_LABEL = 3;
    private static final int LABEL_KEY = 1;
    private static final int LABEL_STR = 2;
    private static final int LABEL_NUM = 3;
    private static final int MAPPING_ID = 1;
    private static final int MAPPING_FILENAME = 5;
    private static final int MAPPING_HAS_FUNCTIONS = 7;
    private static final int LOCATION_ID = 1;
    private static final int LOCATION_MAPPING_ID = 2;
    private static final int LOCATION_LINE = 4;
    private static final int LINE_FUNCTION_ID = 1;
    private static final int FUNCTION_ID = 1;
    private static final int FUNCTION_NAME = 2;
    private static final int FUNCTION_SYSTEM_NAME = 3;

    private static final List<Metric> METRICS = Metric.OF_CALLS;

    private final OutputStream out;
    private final StackFrames frames;
    private final List<String> hosts;
    private final Map<String, Long> texts = new LinkedHashMap<>();
    private final Map<Integer, Long> locations = new LinkedHashMap<>();
    private final Map<Metric, Long> belowZero = new EnumMap<>(Metric.class);
    /** The name of its file: pprof calls a profile by the first file in it. */
    private String program = "";
    private long stacksBelowZero;

    /** @param hosts their names, if samples are to tell them; otherwise empty */
    ProfileFile(OutputStream out, StackFrames frames, List<String> hosts) {
        this.out = out;
        this.frames = frames;
        this.hosts = hosts;
        text("");
    }

    /** Writes what is measured, and when it was. */
    void begin(SessionInfo info) throws IOException {
        ProtoMessage head = new ProtoMessage();
        head.message(SAMPLE_TYPE, valueType("calls", "count"));
        METRICS.forEach(metric -> head.message(SAMPLE_TYPE, valueType(metric.id(), "nanoseconds")));
        Instant start = info.start();
        head.number(TIME_NANOS, TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano());
        head.number(DURATION_NANOS, info.duration().toNanos());
        head.number(DEFAULT_SAMPLE_TYPE, text(Metric.WALL.id()));
        program = fileName(info.command().split(" ", 2)[0]);
        head.writeTo(out);
    }

    private ProtoMessage valueType(String type, String unit) {
        return new ProtoMessage().number(VALUE_TYPE_TYPE, text(type)).number(VALUE_TYPE_UNIT, text(unit));
    }

    /** Writes a sample for each stack that has calls. */
    void samples(Stacks stacks) throws IOException {
        for (Map.Entry<Owner, Stack> root : stacks.roots().entrySet()) {
            List<ProtoMessage> labels = labels(root.getKey());
            Deque<Stack> waiting = new ArrayDeque<>(List.of(root.getValue()));
            while (!waiting.isEmpty()) {
                Stack stack = waiting.pop();
                if (stack.calls() > 0) {
                    sample(stack, labels);
                }
                stack.inner().forEach(waiting::push);
            }
        }
    }

    private List<ProtoMessage> labels(Owner owner) {
        List<ProtoMessage> labels = new ArrayList<>();
        if (owner.host() >= 0 && !hosts.isEmpty()) {
            labels.add(label("host", hosts.get(owner.host())));
        }
        if (!owner.name().isEmpty()) {
            labels.add(label("thread", SafeText.line(owner.name())));
        }
        if (owner.tid() >= 0) {
            labels.add(new ProtoMessage().number(LABEL_KEY, text("tid")).number(LABEL_NUM, owner.tid()));
        }
        return labels;
    }

    private ProtoMessage label(String key, String value) {
        return new ProtoMessage().number(LABEL_KEY, text(key)).number(LABEL_STR, text(value));
    }

    private void sample(Stack stack, List<ProtoMessage> labels) throws IOException {
        LongStream.Builder ids = LongStream.builder();
        stack.frames(frame -> ids.add(location(frame)));
        long[] values = new long[1 + METRICS.size()];
        values[0] = stack.calls();
        boolean below = false;
        for (int i = 0; i < METRICS.size(); i++) {
            long nanos = stack.selfNanos(METRICS.get(i));
            values[1 + i] = Math.max(0, nanos);
            if (nanos < 0) {
                below = true;
                belowZero.merge(METRICS.get(i), -nanos, Long::sum);
            }
        }
        stacksBelowZero += below ? 1 : 0;
        ProtoMessage sample = new ProtoMessage().numbers(SAMPLE_LOCATION_ID, ids.build().toArray())
                .numbers(SAMPLE_VALUE, values);
        labels.forEach(label -> sample.message(SAMPLE_LABEL, label));
        new ProtoMessage().message(SAMPLE, sample).writeTo(out);
    }

    /** In the file, numbers begin with 1: 0 means none. */
    private long location(int frame) {
        return locations.computeIfAbsent(frame, _ -> locations.size() + 1L);
    }

    private long text(String text) {
        return texts.computeIfAbsent(text, _ -> (long) texts.size());
    }

    /** Writes what samples refer to, and the comments; nothing more can be added. */
    void end(List<String> comments) throws IOException {
        ProtoMessage tail = new ProtoMessage();
        Map<String, Long> mappings = new HashMap<>();
        locations.keySet().stream().map(frame -> frames.get(frame).binary()).filter(binary -> fileName(binary).equals(program)).findFirst()
                .ifPresent(binary -> mapping(binary, mappings, tail));
        for (Map.Entry<Integer, Long> location : locations.entrySet()) {
            Frame frame = frames.get(location.getKey());
            long id = location.getValue();
            long mapping = mapping(frame.binary(), mappings, tail);
            tail.message(FUNCTION, new ProtoMessage().number(FUNCTION_ID, id).number(FUNCTION_NAME, text(frame.name()))
                    .number(FUNCTION_SYSTEM_NAME, text(frame.symbol())));
            tail.message(LOCATION, new ProtoMessage().number(LOCATION_ID, id).number(LOCATION_MAPPING_ID, mapping)
                    .message(LOCATION_LINE, new ProtoMessage().number(LINE_FUNCTION_ID, id)));
        }
        tail.numbers(COMMENT, comments.stream().mapToLong(this::text).toArray());
        texts.keySet().forEach(text -> tail.text(STRING_TABLE, text));
        tail.writeTo(out);
    }

    private long mapping(String file, Map<String, Long> mappings, ProtoMessage tail) {
        return mappings.computeIfAbsent(file, binary -> {
            long added = mappings.size() + 1L;
            tail.message(MAPPING, new ProtoMessage().number(MAPPING_ID, added).number(MAPPING_FILENAME, text(binary))
                    .flag(MAPPING_HAS_FUNCTIONS, true));
            return added;
        });
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The number of stacks whose time was less than 0, and was written as 0. */
    long stacksBelowZero() {
        return stacksBelowZero;
    }

    /** How much too large this makes the sums over all samples. */
    Map<Metric, Long> belowZero() {
        return belowZero;
    }
}
