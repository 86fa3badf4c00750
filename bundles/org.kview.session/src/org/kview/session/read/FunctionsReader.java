// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.LogTag;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SymbolsJson;

/** Puts together a session's functions: totals from session.json, buckets from the log, symbols. */
final class FunctionsReader {
    private final Path folder;
    private final Checkpoint checkpoint;
    private final List<String> problems;
    private final Allowance allowance;
    private final Set<Integer> miscounted = new HashSet<>();
    private int lostDistributions;

    FunctionsReader(Path folder, Checkpoint checkpoint, List<String> problems, Allowance allowance) {
        this.folder = folder;
        this.checkpoint = checkpoint;
        this.problems = problems;
        this.allowance = allowance;
    }

    List<FunctionLatency> read() {
        Map<Integer, ProbedFunction> symbols = symbols().stream()
                .collect(Collectors.toMap(ProbedFunction::id, Function.identity(), (first, _) -> first));
        Optional<LatencyLogReader> log = log();
        List<FunctionLatency> functions = new ArrayList<>();
        int lossy = 0;
        for (FunctionLatency totals : checkpoint.functions()) {
            int before = lostDistributions;
            Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
            totals.distributions().forEach((metric, distribution) -> distributions.put(metric,
                    withBuckets(tag(totals, metric), distribution, log)));
            functions.add(new FunctionLatency(symbol(Optional.ofNullable(symbols.get(totals.function().id())), totals.function()), totals.calls(), totals.abandoned(),
                    totals.unfinished(), totals.fates(), distributions, totals.values(), totals.quantities()));
            lossy += lostDistributions > before ? 1 : 0;
        }
        if (lossy > 0) {
            problems.add("The percentiles and distributions of " + lossy + " of " + functions.size()
                    + " functions are lost; counts, totals, means and maxima are exact.");
        }
        if (!miscounted.isEmpty()) {
            problems.add(SessionFiles.SESSION_JSON + " and " + SessionFiles.LATENCY_LOG + " count different numbers of calls of "
                    + miscounted.size() + " of " + functions.size() + " functions: whose percentiles and distributions they are is not"
                    + " known, so they are left out; don't trust these functions' counts and means.");
        }
        return functions;
    }

    private static LogTag tag(FunctionLatency function, Metric metric) {
        return new LogTag(function.function().id(), function.function().name(), metric);
    }

    private Distribution withBuckets(LogTag tag, Distribution totals, Optional<LatencyLogReader> log) {
        Optional<Distribution> buckets = log.filter(l -> isAsRecorded(l, tag)).flatMap(l -> l.take(tag));
        if (buckets.isEmpty()) {
            lostDistributions++;
            return totals;
        }
        if (buckets.get().bucketedCount() != totals.count()) {
            miscounted.add(tag.functionId());
            return totals;
        }
        return buckets.get().withTotals(totals.count(), totals.totalNanos(), totals.maxNanos());
    }

    private boolean isAsRecorded(LatencyLogReader log, LogTag tag) {
        return log.matches(tag, checkpoint.checksums().get(tag.functionId()).get(tag.metric()));
    }

    private Optional<LatencyLogReader> log() {
        Path file = folder.resolve(SessionFiles.LATENCY_LOG);
        String name = SessionFiles.LATENCY_LOG;
        try {
            if (!Files.isRegularFile(file)) {
                problems.add(name + " is missing.");
                return Optional.empty();
            }
            long length = Files.size(file);
            long bytes = checkpoint.log().bytes();
            Optional<LatencyLogReader> sums = sums(file, Math.min(length, bytes));
            if (sums.isPresent()) {
                return sums;
            }
            LatencyLogReader log = LatencyLogReader.read(file, checkpoint.log(), checkpoint.tags(), allowance);
            if (length < bytes) {
                problems.add(name + " is cut off: it has " + length + " of " + bytes + " bytes.");
            } else if (!log.isWhole()) {
                problems.add(name + " has " + (length >> 20) + " MiB, of which not all is read when the session is opened:"
                        + " it holds more lines than any has that was not cut off.");
            } else if (log.badLines() > 0) {
                problems.add(name + " is damaged: " + log.badLines() + " of its lines can't be read.");
            }
            return Optional.of(log);
        } catch (IOException e) {
            problems.add(name + " can't be read: " + SessionException.reason(e) + ".");
            return Optional.empty();
        }
    }

    /** The sums at the end of a long log; empty if they are not what was recorded, or if there are none. */
    private Optional<LatencyLogReader> sums(Path file, long bytes) throws IOException {
        long at = checkpoint.log().sumsAt().orElse(Long.MAX_VALUE);
        if (at > bytes || at <= allowance.left(Allowance.Of.LOG_WITHOUT_SUMS)) {
            return Optional.empty();
        }
        LatencyLogReader sums = LatencyLogReader.sums(file, at, bytes, checkpoint.tags(), allowance);
        if (checkpoint.tags().stream().allMatch(tag -> isAsRecorded(sums, tag))) {
            return Optional.of(sums);
        }
        sums.clear();
        return Optional.empty();
    }

    private List<ProbedFunction> symbols() {
        Path file = folder.resolve(SessionFiles.SYMBOLS_JSON);
        try {
            if (!Files.isRegularFile(file)) {
                problems.add(SessionFiles.SYMBOLS_JSON + " is missing: the functions' addresses are not known.");
                return List.of();
            }
            long size = Files.size(file);
            if (size > SessionDocument.MAX_BYTES || !allowance.take(Allowance.Of.TEXT, size)) {
                problems.add(SessionFiles.SYMBOLS_JSON + " is damaged: it is far too large;"
                        + " the functions' addresses are not known.");
                return List.of();
            }
            allowance.read(size);
            byte[] bytes = Files.readAllBytes(file);
            if (SessionJsonWriter.checksum(bytes) == checkpoint.symbolsChecksum()) {
                return SymbolsJson.decode(bytes);
            }
            problems.add(SessionFiles.SYMBOLS_JSON + " is damaged, or was changed after the recording:"
                    + " the functions' addresses are not known.");
        } catch (SessionException e) {
            problems.add(e.getMessage() + "; the functions' addresses are not known.");
        } catch (IOException e) {
            problems.add(SessionFiles.SYMBOLS_JSON + " can't be read: " + SessionException.reason(e) + ".");
        }
        return List.of();
    }

    private static ProbedFunction symbol(Optional<ProbedFunction> symbol, ProbedFunction function) {
        return symbol.map(s -> new ProbedFunction(s.id(), s.name(),
                s.point().kind().equals(function.point().kind()) ? s.point() : function.point(), function.mechanism(), function.measured(),
                new ProbedFunction.Ends(s.exit(), function.ends().goesOnTo(), function.ends().forced()), s.cost(),
                function.inlinedPlaces(), function.waits(), function.condition(), function.by(),
                function.quantities()))
                .orElse(function);
    }
}
