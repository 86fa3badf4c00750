// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.kview.model.Budget;
import org.kview.model.LatencyFormat;
import org.kview.targets.values.FunctionInfo;

/**
 * What probes will cost a process, by what a trial counted. It holds as long as the process goes on as it did then.
 *
 * @param prices     of each function, the dearest first
 * @param seconds    how long the trial was
 * @param cpuSeconds CPU time that the process took in each of them, the probes' included; 0: none, or not known
 * @param beside     CPU seconds each second that are no function's: what its context switches took longer
 */
public record CostForecast(List<Price> prices, double seconds, double cpuSeconds, double beside) {
    /** The agent removes no probes that together cost less than half a per cent of one CPU. */
    private static final double FLOOR = 0.005;
    /**
     * However much the probes are estimated to cost, the process itself is assumed to use at least this part of its CPU time. The
     * agent assumes the same.
     */
    private static final double LEAST_OWN = 0.25;
    private static final int NAMED = 5;
    /** By this much more a recording's calls may cost than those of the trial did. */
    private static final double MARGIN = 1.25;

    /**
     * What was counted of one function, each second that its probes were on.
     *
     * @param passes   sites passed that neither began nor ended a call
     * @param cost     CPU seconds that its probes took
     * @param gaveWay  whether its probes came off in the trial already
     */
    public record Price(FunctionInfo function, double calls, double passes, double cost, boolean gaveWay) {
        public Price {
            Objects.requireNonNull(function);
            if (!(calls >= 0 && passes >= 0 && cost >= 0)) {
                throw new IllegalArgumentException("No rates: " + calls + ", " + passes + ", " + cost);
            }
        }
    }

    public CostForecast {
        prices = prices.stream().sorted(Comparator.comparingDouble(Price::cost).reversed()).toList();
        if (!(seconds > 0 && cpuSeconds >= 0 && beside >= 0)) {
            throw new IllegalArgumentException("No times: " + seconds + ", " + cpuSeconds + ", " + beside);
        }
    }

    public CostForecast(List<Price> prices, double seconds, double cpuSeconds) {
        this(prices, seconds, cpuSeconds, 0);
    }

    /** CPU seconds each second of all probes, and of what belongs to no function. */
    public double cost() {
        return beside + prices.stream().mapToDouble(Price::cost).sum();
    }

    public double calls() {
        return prices.stream().mapToDouble(Price::calls).sum();
    }

    public double passes() {
        return prices.stream().mapToDouble(Price::passes).sum();
    }

    /**
     * The share of the process's CPU time, 0 to 1. Costs are per second in which the probes were on. If probes came off early,
     * the costs can therefore add up to more than the CPU time that was measured; then their sum is taken as the CPU time.
     */
    public double share() {
        return share(cost());
    }

    public double share(Price price) {
        return share(price.cost());
    }

    private double share(double cost) {
        double cpu = Math.max(cpuSeconds, cost());
        return cpu == 0 ? 0 : cost / cpu;
    }

    /**
     * Functions whose probes would come off within a second or so, the dearest first: as many as have to, so that the rest
     * fits the budget.
     */
    public List<Price> comeOff(Budget budget) {
        if (!budget.isLimited()) {
            return List.of();
        }
        Set<Price> off = new HashSet<>();
        double left = cost();
        double all = Math.max(cpuSeconds, left);
        double cpu = all;
        for (Price price : prices) {
            if (left <= budget.share() * cpu || left <= FLOOR) {
                break;
            }
            off.add(price);
            left -= price.cost();
            cpu = Math.max(cpu - price.cost(), LEAST_OWN * all);
        }
        return prices.stream().filter(off::contains).toList();
    }

    /**
     * Those of functions that are given by worth, the most worth first, that fit the budget together: one that does not fit with
     * those before it is left out, and others behind it may fit.
     */
    public List<Price> fitting(List<FunctionInfo> byWorth, Budget budget) {
        List<Price> fitting = new ArrayList<>();
        for (FunctionInfo function : byWorth) {
            price(function).filter(price -> !budget.isLimited() || cost(fitting, price) <= FLOOR
                    || shareOf(fitting, price) <= budget.share()).ifPresent(fitting::add);
        }
        return List.copyOf(fitting);
    }

    /** A budget that allows one more, whole per cents and some more than the trial says; empty where there is none. */
    public Optional<Budget> budgetFor(List<Price> others, Price one) {
        double percent = Math.ceil(shareOf(others, one) * MARGIN * 100);
        return percent > 100 ? Optional.empty() : Optional.of(new Budget((int) Math.max(1, percent) * 10_000));
    }

    public Optional<Price> price(FunctionInfo function) {
        return prices.stream().filter(price -> price.function().equals(function)).findFirst();
    }

    private double cost(List<Price> others, Price one) {
        return beside + one.cost() + others.stream().mapToDouble(Price::cost).sum();
    }

    /** What these probes alone take of the CPU time that the process will take with them. */
    private double shareOf(List<Price> others, Price one) {
        double all = Math.max(cpuSeconds, cost());
        double cost = cost(others, one);
        double cpu = Math.max(all - (cost() - cost), LEAST_OWN * all);
        return cpu == 0 ? 0 : cost / cpu;
    }

    /** "12,411 calls a second and 300 jumps that stay inside, whose probes take about 3.2 % of the process's CPU time". */
    public String text() {
        if (calls() == 0 && passes() == 0) {
            return "no call of the chosen " + (prices.size() == 1 ? "function" : "functions") + " in "
                    + String.format(Locale.ROOT, "%.1f s", seconds);
        }
        return String.format(Locale.ROOT, "%,.0f calls a second%s, whose probes take about %s of the process's CPU time",
                calls(), passes() == 0 ? "" : String.format(Locale.ROOT, " and %,.0f jumps that stay inside", passes()),
                LatencyFormat.percent(share()));
    }

    /** "beyond the budget of 5 %: the probes of f and g would come off"; empty where all fit. */
    public String warning(Budget budget) {
        List<Price> off = comeOff(budget);
        if (off.isEmpty()) {
            return "";
        }
        String names = off.stream().limit(NAMED).map(price -> price.function().name()).collect(Collectors.joining(", "));
        return "beyond the budget of " + budget.text() + ": the probes of " + names
                + (off.size() > NAMED ? " and " + LatencyFormat.count(off.size() - NAMED) + " more" : "") + " would come off"
                + besideBeyond(budget).map(why -> ", as " + why).orElse("");
    }

    /**
     * "its context switches alone take longer by 7 % of its CPU time": where what belongs to no function exceeds the budget,
     * whichever functions are chosen.
     */
    Optional<String> besideBeyond(Budget budget) {
        return budget.isLimited() && beside > FLOOR && share(beside) > budget.share() ? Optional.of("its context switches alone take longer by "
                + LatencyFormat.percent(share(beside)) + " of its CPU time") : Optional.empty();
    }

    /** "f and g fit; choose fewer functions, or another budget (--budget none sets no limit)"; empty where all fit. */
    public String advice(Budget budget) {
        List<Price> off = comeOff(budget);
        if (off.isEmpty()) {
            return "";
        }
        if (besideBeyond(budget).isPresent()) {
            return "no function fits; choose another budget (--budget none sets no limit)";
        }
        List<String> fit = prices.stream().filter(price -> !off.contains(price) && price.calls() > 0)
                .map(price -> price.function().name()).toList();
        String others = fit.isEmpty() ? "no other function was called" : fit.size() > NAMED
                ? LatencyFormat.count(fit.size()) + " other functions that were called fit (" + String.join(", ",
                        fit.subList(0, NAMED)) + " and more)"
                : "what fits is " + String.join(", ", fit);
        return others + "; choose fewer functions, or another budget (--budget none sets no limit)";
    }

    /** "f: 1,200 calls a second, 300 jumps that stay inside, 1.20 ms each second, 3 % of the process's CPU time". */
    public String line(Price price) {
        return String.format(Locale.ROOT, "%s: %,.0f calls a second%s, probes %s each second, %s of the process's CPU time",
                price.function().name(), price.calls(), price.passes() == 0 ? ""
                        : String.format(Locale.ROOT, ", %,.0f jumps that stay inside", price.passes()),
                LatencyFormat.nanos(price.cost() * 1e9), LatencyFormat.percent(share(price)));
    }
}
