// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.recording.CostForecast.Price;

/** What a trial's counts say of the recording to come. */
class CostForecastTest {
    private static Price price(String name, double calls, double passes, double cost) {
        return new Price(CostTrialTest.function(name), calls, passes, cost, false);
    }

    private static List<String> names(List<Price> prices) {
        return prices.stream().map(p -> p.function().name()).toList();
    }

    private static final CostForecast BUSY = new CostForecast(List.of(price("cheap", 100, 0, 0.001),
            price("dear", 90_000, 400_000, 0.3), price("middle", 20_000, 0, 0.06)), 1, 1);

    @Test
    void theDearestComeOffUntilTheRestFits() {
        assertThat(names(BUSY.prices())).containsExactly("dear", "middle", "cheap");
        assertThat(names(BUSY.comeOff(Budget.DEFAULT))).containsExactly("dear", "middle");
        assertThat(names(BUSY.comeOff(new Budget(200_000)))).containsExactly("dear");
        assertThat(BUSY.comeOff(new Budget(400_000))).isEmpty();
        assertThat(BUSY.comeOff(Budget.NONE)).isEmpty();
        assertThat(BUSY.warning(Budget.DEFAULT)).isEqualTo("beyond the budget of 5 %: the probes of dear, middle would come off");
        assertThat(BUSY.warning(Budget.NONE)).isEmpty();
    }

    @Test
    void whatFitsIsNamed() {
        assertThat(BUSY.advice(Budget.DEFAULT)).startsWith("what fits is cheap; choose fewer functions").contains("--budget none");
        assertThat(BUSY.advice(new Budget(200_000))).startsWith("what fits is middle, cheap; ");
        assertThat(BUSY.advice(Budget.NONE)).isEmpty();
        assertThat(new CostForecast(List.of(price("dear", 90_000, 0, 0.3), price("never", 0, 0, 0)), 1, 1).advice(Budget.DEFAULT))
                .startsWith("no other function was called; ");
    }

    @Test
    void whatIsLeftIsMoreOfTheTimeThatTheProcessThenTakes() {
        List<Price> prices = List.of(price("dear", 500_000, 0, 0.5), price("middle", 30_000, 0, 0.03), price("cheap", 10_000, 0, 0.01));
        assertThat(names(new CostForecast(prices, 1, 1).comeOff(Budget.DEFAULT))).containsExactly("dear", "middle");
        assertThat(names(new CostForecast(prices, 1, 2).comeOff(Budget.DEFAULT))).containsExactly("dear");
    }

    @Test
    void whatIsNothingOfACpuStaysOnWhateverItIsOfTheProcess() {
        CostForecast sleepy = new CostForecast(List.of(price("f", 100, 0, 0.004)), 1, 0.01);
        assertThat(sleepy.share()).isEqualTo(0.4);
        assertThat(sleepy.comeOff(Budget.DEFAULT)).isEmpty();
    }

    @Test
    void whatIsNoFunctionsLeavesLessToThem() {
        List<Price> prices = List.of(price("dear", 9000, 0, 0.03), price("cheap", 100, 0, 0.01));
        assertThat(new CostForecast(prices, 1, 1).comeOff(Budget.DEFAULT)).isEmpty();
        CostForecast busy = new CostForecast(prices, 1, 1, 0.02);
        assertThat(busy.share()).isEqualTo(0.06);
        assertThat(busy.warning(Budget.DEFAULT)).isEqualTo("beyond the budget of 5 %: the probes of dear would come off");
        CostForecast switching = new CostForecast(prices, 1, 1, 0.1);
        assertThat(switching.warning(Budget.DEFAULT)).isEqualTo("beyond the budget of 5 %: the probes of dear, cheap would come"
                + " off, as its context switches alone take longer by 10 % of its CPU time");
        assertThat(switching.advice(Budget.DEFAULT)).isEqualTo("no function fits; choose another budget (--budget none sets no limit)");
    }

    @Test
    void sitesThatEndNoCallCount() {
        assertThat(BUSY.text()).isEqualTo("110,100 calls a second and 400,000 jumps that stay inside, whose probes take about"
                + " 36 % of the process's CPU time");
        assertThat(BUSY.line(BUSY.prices().getFirst())).isEqualTo("dear: 90,000 calls a second, 400,000 jumps that stay"
                + " inside, probes 300 ms each second, 30 % of the process's CPU time");
    }

    @Test
    void whereProbesCameOffEarlyTheyCostNoMoreThanAll() {
        assertThat(new CostForecast(List.of(price("f", 1, 0, 0.5)), 1, 0.2).share()).isEqualTo(1);
        assertThat(new CostForecast(List.of(price("f", 0, 0, 0)), 1, 0).share()).isZero();
    }

    @Test
    void nothingThatWasCalledIsSaid() {
        assertThat(new CostForecast(List.of(price("f", 0, 0, 0)), 1, 0).text()).isEqualTo("no call of the chosen function in 1.0 s");
        assertThatThrownBy(() -> price("f", -1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CostForecast(List.of(), 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyNamesAreCut() {
        List<Price> many = List.of("a", "b", "c", "d", "e", "f", "g").stream().map(n -> price(n, 1, 0, 1)).toList();
        assertThat(new CostForecast(many, 1, 10).warning(Budget.DEFAULT)).contains("a, b, c, d, e and 2 more would come off");
    }

    private static List<String> fitting(CostForecast forecast, Budget budget, String... byWorth) {
        return names(forecast.fitting(List.of(byWorth).stream().map(CostTrialTest::function).toList(), budget));
    }

    /** The dearest one may be the one to blame. */
    @Test
    void whatIsWorthMostStaysAndNotWhatCostsLeast() {
        CostForecast forecast = new CostForecast(List.of(price("suspect", 800, 0, 0.04), price("other", 600, 0, 0.03),
                price("seldom", 10, 0, 0.001), price("never", 0, 0, 0)), 1, 1);
        assertThat(names(forecast.comeOff(Budget.DEFAULT))).containsExactly("suspect");
        assertThat(fitting(forecast, Budget.DEFAULT, "suspect", "other", "seldom", "never")).containsExactly("suspect", "seldom", "never");
        assertThat(fitting(forecast, Budget.DEFAULT, "other", "suspect", "never")).containsExactly("other", "never");
        assertThat(fitting(forecast, Budget.NONE, "suspect", "other")).containsExactly("suspect", "other");
        assertThat(fitting(new CostForecast(forecast.prices(), 1, 1, 0.1), Budget.DEFAULT, "suspect", "never")).isEmpty();
    }

    /** What is kept together is what would not come off. */
    @Test
    void ofWhatFitsNothingComesOff() {
        Random random = new Random(15);
        for (int round = 0; round < 200; round++) {
            List<Price> prices = Stream.of("a", "b", "c", "d", "e").map(name -> price(name, 1, 0, random.nextDouble() * 0.1)).toList();
            double beside = random.nextDouble() * 0.03;
            CostForecast all = new CostForecast(prices, 1, random.nextDouble() * 2, beside);
            List<Price> fit = all.fitting(prices.stream().map(Price::function).toList(), Budget.DEFAULT);
            double gone = prices.stream().filter(price -> !fit.contains(price)).mapToDouble(Price::cost).sum();
            double cpu = Math.max(Math.max(all.cpuSeconds(), all.cost()) - gone, 0.25 * Math.max(all.cpuSeconds(), all.cost()));
            assertThat(new CostForecast(fit, 1, cpu, beside).comeOff(Budget.DEFAULT)).isEmpty();
            for (Price price : prices) {
                if (!fit.contains(price)) {
                    all.budgetFor(fit, price).ifPresent(budget -> assertThat(budget.ppm()).isGreaterThan(Budget.DEFAULT.ppm()));
                }
            }
        }
    }
}
