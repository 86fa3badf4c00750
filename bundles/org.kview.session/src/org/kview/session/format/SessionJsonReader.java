// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.AgentCost;
import org.kview.model.Budget;
import org.kview.model.ClockOffset;
import org.kview.model.Distribution;
import org.kview.model.ForkedChildren;
import org.kview.model.FunctionLatency;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.ProgramEnd;
import org.kview.model.Provenance;
import org.kview.model.Quantity;
import org.kview.model.SessionInfo;
import org.kview.model.ValueFigures;
import org.kview.session.SessionException;
import org.kview.session.json.ValuesJson;

import com.fasterxml.jackson.databind.JsonNode;

/** Reads {@code session.json}, which may be damaged, hostile, or from a newer version. */
public final class SessionJsonReader {
    private static final String FILE = SessionFiles.SESSION_JSON;
    /** No recorder writes so many sentences about problems. */
    private static final int MOST_PROBLEMS = 1000;
    /** Of all functions: so many that a thousand calls a microsecond take two months, and so few that the sum over many hosts is right. */
    private static final long MOST_CALLS = 1L << 52;
    /** More than 36 years. */
    private static final long MOST_NANOS = 1L << 60;
    /** The last year with four digits, as dates have them in other tools. */
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private final JsonFields root;
    private final Allowance allowance;
    private final List<Map<Metric, Long>> checksums = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long calls;
    private int valuesLeftOut;

    private SessionJsonReader(JsonFields root, Allowance allowance) {
        this.root = root;
        this.allowance = allowance;
    }

    /** @throws SessionException if it does not hold what a recording's session.json does */
    public static Checkpoint decode(SessionDocument document, Allowance allowance) throws SessionException {
        if (document.kind() != SessionKind.RECORDING) {
            throw new SessionException(FILE + " is damaged: it lists hosts where the figures of one belong");
        }
        SessionJsonReader reader = new SessionJsonReader(new JsonFields(FILE, document.root(), ""), allowance);
        if (!document.intact()) {
            reader.problems.add(FILE + " was changed after it was recorded, or is damaged:"
                    + " its figures can't be trusted.");
        }
        return reader.checkpoint();
    }

    /** Whether it is whole and of a version that this one does not know. */
    public static boolean isNewer(byte[] bytes) {
        try {
            return SessionKind.isNewer(ValuesJson.MAPPER.readTree(bytes));
        } catch (IOException e) {
            return false;
        }
    }

    private Checkpoint checkpoint() throws SessionException {
        SessionInfo info = info(root.object("session"));
        List<FunctionLatency> functions = new ArrayList<>();
        for (JsonFields function : root.objects("functions")) {
            if (!allowance.take(Allowance.Of.FUNCTIONS, 1)) {
                throw root.damaged("functions", "are more than any session has");
            }
            functions.add(function(function, functions.size()));
        }
        if (valuesLeftOut > 0) {
            problems.add("The figures by value of " + valuesLeftOut + " of " + functions.size() + " functions are left out: they contradict"
                    + " those of all calls, or each other.");
        }
        JsonFields l = root.object("losses");
        Losses losses = l.value(() -> new Losses(l.count("events_dropped"), l.count("missed_returns"),
                l.count("depth_overflows"), l.count("healed_switches"), l.count("untracked_threads"),
                l.optionalCount("unmatched_returns"), l.optionalCount("unaccounted_calls"),
                l.optionalCount("figures_lost")));
        Optional<JsonFields> trace = root.optionalObject("trace");
        for (JsonNode problem : root.node().path("problems")) {
            if (problems.size() == MOST_PROBLEMS) {
                problems.add("There are more sentences about what went wrong than are shown.");
                break;
            }
            if (problem.isTextual() && !problem.textValue().isBlank()) {
                problems.add(problem.textValue());
            }
        }
        return new Checkpoint(info, functions, checksums, losses, overhead(root.object("overhead")), log(),
                trace.isEmpty() ? Optional.empty() : Optional.of(trace(trace.get())),
                root.object("symbols").hex("crc32"), problems);
    }

    private Checkpoint.LogSummary log() throws SessionException {
        JsonFields log = root.object("latency_log");
        return new Checkpoint.LogSummary(log.count("bytes"), log.node().has("sums_at")
                ? OptionalLong.of(log.count("sums_at")) : OptionalLong.empty(), log.optionalTexts("pending"));
    }

    private SessionInfo info(JsonFields session) throws SessionException {
        Instant start;
        try {
            start = Instant.parse(session.text("start"));
        } catch (DateTimeException e) {
            throw session.damaged("start", "is no instant");
        }
        String state = session.text("state");
        SessionInfo.State known = Arrays.stream(SessionInfo.State.values())
                .filter(s -> s.name().equalsIgnoreCase(state)).findFirst().orElseGet(() -> {
                    problems.add("How the recording ended (\"" + state + "\") is not known to this version.");
                    return SessionInfo.State.STOPPED;
                });
        if (start.isBefore(Instant.EPOCH) || start.isAfter(LATEST)) {
            throw session.damaged("start", "is no time at which a session can have begun");
        }
        Provenance provenance = ProvenanceReader.read(root.node());
        return new SessionInfo(
                new SessionInfo.Host(session.text("target"), session.text("host"), session.text("kernel"), clockOffset(session)),
                ScopesReader.read(session, provenance), session.text("command"),
                new SessionInfo.Filtering(session.text("filter"), session.text("filter_note")), start,
                Duration.ofNanos(session.count("duration_ns")), new SessionInfo.Ending(known, session.text("state_note"), program(session)),
                provenance);
    }

    private static Optional<ProgramEnd> program(JsonFields session) throws SessionException {
        Optional<JsonFields> program = session.optionalObject("program");
        if (program.isEmpty()) {
            return Optional.empty();
        }
        JsonFields end = program.get();
        boolean signalled = end.node().has("signal");
        return Optional.of(end.value(() -> new ProgramEnd(signalled, end.smallCount(signalled ? "signal" : "status"))));
    }

    private static Optional<ClockOffset> clockOffset(JsonFields session) throws SessionException {
        Optional<JsonFields> clock = session.optionalObject("clock");
        return clock.isEmpty() ? Optional.empty() : Optional.of(new ClockOffset(clock.get().number("offset_ns"),
                clock.get().count("uncertainty_ns")));
    }

    private FunctionLatency function(JsonFields fields, int id) throws SessionException {
        if (fields.count("id") != id) {
            throw fields.damaged("id", "is not " + id);
        }
        Map<Quantity, Distribution> quantities = QuantityFormat.read(fields);
        ProbedFunction function = new ProbedFunction(id, fields.text("name"), PointReader.point(fields), PointReader.mechanism(fields),
                PointReader.measured(fields),
                new ProbedFunction.Ends(ProbedFunction.ExitKind.UNKNOWN, FatesReader.goesOnTo(fields), FatesReader.isForced(fields)),
                ProbedFunction.Cost.UNKNOWN, FatesReader.inlinedPlaces(fields), FatesReader.waitsTold(fields),
                FatesReader.condition(fields), FatesReader.by(fields), List.copyOf(quantities.keySet()));
        quantities.values().removeIf(Distribution::isEmpty);
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        Map<Metric, Long> own = new EnumMap<>(Metric.class);
        JsonFields metrics = fields.object("metrics");
        for (Metric metric : Metric.values()) {
            Optional<JsonFields> figures = metrics.optionalObject(metric.id());
            if (figures.isPresent()) {
                JsonFields f = figures.get();
                distributions.put(metric, new Distribution.Builder()
                        .addTotals(f.count("count", MOST_CALLS), f.count("total_ns", MOST_NANOS), f.count("max_ns", MOST_NANOS)).build());
                own.put(metric, f.hex("buckets_crc32"));
            }
        }
        checksums.add(own);
        Optional<List<ValueFigures>> values = SplitFormat.read(fields, distributions);
        valuesLeftOut += values.isEmpty() ? 1 : 0;
        FunctionLatency latency = new FunctionLatency(function, fields.count("calls", MOST_CALLS), fields.count("abandoned", MOST_CALLS),
                fields.count("unfinished", MOST_CALLS), FatesReader.fates(fields), distributions, values.orElse(List.of()), quantities);
        calls += Math.max(latency.calls(), distributions.values().stream().mapToLong(Distribution::count).max().orElse(0));
        if (calls > MOST_CALLS) {
            throw root.damaged("functions", "have more calls than any session has");
        }
        return latency;
    }

    private static ForkedChildren children(JsonFields overhead) throws SessionException {
        Optional<JsonFields> children = overhead.optionalObject("children");
        if (children.isEmpty()) {
            return ForkedChildren.NONE;
        }
        JsonFields c = children.get();
        return c.value(() -> new ForkedChildren(c.count("forked"), c.count("cpu_ns"), c.count("with_probes")));
    }

    private static Overhead overhead(JsonFields overhead) throws SessionException {
        ForkedChildren children = children(overhead);
        Optional<JsonFields> agent = overhead.optionalObject("agent");
        Optional<AgentCost> cost = Optional.empty();
        if (agent.isPresent()) {
            JsonFields a = agent.get();
            cost = Optional.of(new AgentCost(Duration.ofNanos(a.count("attach_ns")),
                    Duration.ofNanos(a.count("detach_ns")), Duration.ofNanos(a.count("cpu_ns")),
                    a.count("peak_rss_bytes")));
        }
        return new Overhead(overhead.count("per_call_ns"), overhead.flag("calibrated"), cost,
                overhead.optionalText("calibration_note").orElse(""), overhead.value(() -> new ProcessShare(
                        overhead.optionalCount("probes_ns"), overhead.optionalCount("process_cpu_ns"), children)),
                overhead.optionalText("budget").flatMap(Budget::parse),
                overhead.optionalText("waits_note").orElse(""), CostToOthersReader.read(overhead));
    }

    private static Checkpoint.TraceSummary trace(JsonFields trace) throws SessionException {
        List<Checkpoint.StreamSummary> streams = new ArrayList<>();
        for (JsonFields stream : trace.objects("streams")) {
            streams.add(new Checkpoint.StreamSummary(stream.smallCount("cpu"), stream.count("bytes"),
                    stream.count("packets"), stream.node().has("events")
                            ? OptionalLong.of(stream.count("events")) : OptionalLong.empty()));
        }
        JsonFields metadata = trace.object("metadata");
        Optional<JsonFields> packets = trace.optionalObject("packets");
        Optional<Checkpoint.FileSum> sums = packets.isEmpty() ? Optional.empty()
                : Optional.of(new Checkpoint.FileSum(packets.get().count("bytes"), packets.get().hex("crc32")));
        return new Checkpoint.TraceSummary(metadata.count("bytes"), metadata.hex("crc32"), sums, streams);
    }
}
