// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.kview.model.Distribution;

/**
 * A program whose functions are of all kinds that deceive a comparison: steady, scattered, heavy of
 * tail, slowed by load that comes and goes, constant within a bucket, rare. What differs from run to
 * run is partly the run's, which slows all functions together, and partly each function's own.
 */
final class SimulatedProgram {
    static final int FUNCTIONS = 8;
    private static final int SLICES = 16;
    private static final double TAIL = 1.8;
    private static final double WAITS = 0.5;

    private final SplittableRandom random;
    private final double runToRun;
    private final double shared;
    private int started;
    private int sides;
    private double drift;
    private double contention;

    /**
     * @param runToRun deviation of the logarithm of what a call takes, from run to run
     * @param shared   the part of its variance that all functions have in common, 0 to 1
     */
    SimulatedProgram(long seed, double runToRun, double shared) {
        random = new SplittableRandom(seed);
        this.runToRun = runToRun;
        this.shared = shared;
    }

    /** On a host that gets slower by so much each second; the recordings of a side begin every two. */
    SimulatedProgram drifting(double logarithm) {
        drift = logarithm;
        return this;
    }

    /**
     * On a host where others want its CPUs: a call waits for one about half as long as it takes, by another share in each
     * recording and function.
     *
     * @param deviation of that share's logarithm
     */
    SimulatedProgram contended(double deviation) {
        contention = deviation;
        return this;
    }

    /** Recordings of the same program; those of the second side, of the fourth and so on are between those of the first. */
    List<ComparedSession> runs(int count) {
        return runs(count, 0, 1);
    }

    /**
     * Recordings of the program with some functions slower.
     *
     * @param slower how many: the first ones
     * @param factor by which
     */
    List<ComparedSession> runs(int count, int slower, double factor) {
        int side = sides++ % 2;
        return runs(IntStream.range(0, count).map(i -> 2 * i + side).toArray(), slower, factor);
    }

    /** @param seconds when each begins */
    List<ComparedSession> runs(int[] seconds, int slower, double factor) {
        List<ComparedSession> runs = new ArrayList<>();
        for (int second : seconds) {
            double common = Math.sqrt(shared) * runToRun * random.nextGaussian() + drift * second;
            List<Recordings.Slices> functions = new ArrayList<>();
            for (int f = 0; f < FUNCTIONS; f++) {
                double own = Math.sqrt(1 - shared) * runToRun * random.nextGaussian();
                double waits = contention == 0 ? 0 : WAITS * Math.exp(contention * random.nextGaussian());
                functions.add(function(f, Math.exp(common + own) * (f < slower ? factor : 1), waits));
            }
            runs.add(Recordings.waiting("run-" + ++started, Recordings.info(started, second), functions));
        }
        return runs;
    }

    /** @param waits for a CPU, as a share of what a call takes besides */
    private Recordings.Slices function(int kind, double factor, double waits) {
        List<Distribution> slices = new ArrayList<>();
        List<Distribution> waited = new ArrayList<>();
        double stickiness = 0.7;
        double moved = random.nextGaussian();
        for (int i = 0; i < SLICES; i++) {
            Distribution.Builder slice = new Distribution.Builder();
            Distribution.Builder waitedInSlice = new Distribution.Builder();
            int calls = kind == 7 ? 3 : 80 + random.nextInt(40);
            for (int call = 0; call < calls; call++) {
                double nanos = switch (kind) {
                    case 0 -> 1e6 * Math.exp(0.2 * random.nextGaussian());
                    case 1 -> 4e4 * Math.exp(0.3 * random.nextGaussian());
                    case 2 -> 3e5 * Math.exp(0.8 * random.nextGaussian());
                    case 3 -> 5e4 * Math.pow(1 - random.nextDouble(), -1 / TAIL);
                    case 4 -> 2e6 * Math.exp(0.1 * moved + 0.4 * random.nextGaussian());
                    case 5 -> 102_000 * (1 + 0.001 * random.nextGaussian());
                    case 6 -> random.nextInt(5) == 0 ? 8e6 : 1e5 * Math.exp(0.3 * random.nextGaussian());
                    default -> 1e7 * Math.exp(0.3 * random.nextGaussian());
                };
                long wait = waits == 0 ? 0 : Math.round(-waits * nanos * factor * Math.log(1 - random.nextDouble()));
                if (wait > 0) {
                    waitedInSlice.add(wait);
                }
                slice.add(Math.round(nanos * factor) + wait);
            }
            slices.add(slice.build());
            waited.add(waitedInSlice.build());
            moved = stickiness * moved + Math.sqrt(1 - stickiness * stickiness) * random.nextGaussian();
        }
        return new Recordings.Slices(slices, waited);
    }
}
