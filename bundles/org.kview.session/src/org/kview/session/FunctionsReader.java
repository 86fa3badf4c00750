/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;

/** Puts together a session's functions: totals from session.json, buckets from the log, symbols. */
final class FunctionsReader {
    private final Path folder;
    private final Checkpoint checkpoint;
    private final List<String> problems;
    private int lostDistributions;

    FunctionsReader(Path folder, Checkpoint checkpoint, List<String> problems) {
        this.folder = folder;
        this.checkpoint = checkpoint;
        this.problems = problems;
    }

    List<FunctionLatency> read() {
        List<ProbedFunction> symbols = symbols();
        Optional<LatencyLogReader> log = log();
        List<FunctionLatency> functions = new ArrayList<>();
        int lossy = 0;
        for (FunctionLatency totals : checkpoint.functions()) {
            int before = lostDistributions;
            Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
            totals.distributions().forEach((metric, distribution) -> distributions.put(metric,
                    withBuckets(new LogTag(totals.function().id(), totals.function().name(), metric), distribution, log)));
            functions.add(new FunctionLatency(symbol(symbols, totals.function()), totals.calls(), totals.abandoned(),
                    totals.unfinished(), totals.fates(), distributions));
            lossy += lostDistributions > before ? 1 : 0;
        }
        if (lossy > 0) {
            problems.add("The percentiles and distributions of " + lossy + " of " + functions.size()
                    + " functions are lost; counts, totals, means and maxima are exact.");
        }
        return functions;
    }

    private Distribution withBuckets(LogTag tag, Distribution totals, Optional<LatencyLogReader> log) {
        Optional<Distribution> buckets = log.flatMap(l -> l.buckets(tag))
                .filter(d -> checkpoint.checksums().get(tag) == LatencyLog.checksum(d));
        if (buckets.isEmpty()) {
            lostDistributions++;
            return totals;
        }
        Distribution.Builder builder = new Distribution.Builder()
                .addTotals(totals.count(), totals.totalNanos(), totals.maxNanos());
        for (int i = 0; i < Math.min(LatencyBuckets.COUNT, buckets.get().bucketLimit()); i++) {
            builder.addBucket(i, buckets.get().bucket(i));
        }
        return builder.build();
    }

    private Optional<LatencyLogReader> log() {
        Path file = folder.resolve(SessionFiles.LATENCY_LOG);
        String name = SessionFiles.LATENCY_LOG;
        try {
            if (!Files.isRegularFile(file)) {
                problems.add(name + " is missing.");
                return Optional.empty();
            }
            LatencyLogReader log = LatencyLogReader.read(file, checkpoint.logBytes());
            long length = Files.size(file);
            if (length < checkpoint.logBytes()) {
                problems.add(name + " is cut off: it has " + length + " of " + checkpoint.logBytes() + " bytes.");
            } else if (log.badLines() > 0) {
                problems.add(name + " is damaged: " + log.badLines() + " of its lines can't be read.");
            }
            return Optional.of(log);
        } catch (IOException e) {
            problems.add(name + " can't be read: " + SessionException.reason(e) + ".");
            return Optional.empty();
        }
    }

    private List<ProbedFunction> symbols() {
        Path file = folder.resolve(SessionFiles.SYMBOLS_JSON);
        try {
            if (!Files.isRegularFile(file)) {
                problems.add(SessionFiles.SYMBOLS_JSON + " is missing: the functions' addresses are not known.");
                return List.of();
            }
            if (Files.size(file) > SessionReader.MAX_JSON_BYTES) {
                problems.add(SessionFiles.SYMBOLS_JSON + " is damaged: it is far too large;"
                        + " the functions' addresses are not known.");
                return List.of();
            }
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

    private static ProbedFunction symbol(List<ProbedFunction> symbols, ProbedFunction function) {
        return symbols.stream().filter(s -> s.id() == function.id()).findFirst()
                .map(s -> new ProbedFunction(s.id(), s.name(), s.symbol(), s.binary(), s.address(), s.fileOffset(),
                        s.sizeBytes(), s.exit(), s.innerCostNanos(), s.callCostNanos(), function.goesOnTo(),
                        function.forced(), function.inlinedPlaces()))
                .orElse(function);
    }
}
