// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.model.Metric;
import org.kview.recording.survey.FunctionTimes;
import org.kview.recording.survey.SuggestedProbes;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.targets.values.FunctionInfo.Language;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.Stretch;
import org.kview.targets.values.Survey;

class SuggestedProbesTest {
    private static final ProcessInfo SHOP = new ProcessInfo(7, 1, new ProcessInfo.User(0, "root"), "shop",
            new ProcessInfo.Program("/srv/shop", List.of("shop")), 2, 0, 0, "", false);

    private final List<Survey.Function> functions = new ArrayList<>();
    private final List<Survey.Call> calls = new ArrayList<>(List.of(new Survey.Call(0, 0)));
    private final List<Survey.Time> times = new ArrayList<>();
    private final Map<Long, Map<Metric, Long>> threads = new LinkedHashMap<>();

    private int function(String name) {
        for (int i = 0; i < functions.size(); i++) {
            if (functions.get(i).name().equals(name)) {
                return i;
            }
        }
        boolean ofLibrary = name.startsWith("lib:");
        boolean ofKernel = name.startsWith("kernel:");
        functions.add(new Survey.Function(name, name.replace("lib:", ""), ofLibrary ? "/lib/libc.so.6" : ofKernel ? "" : "/srv/shop", ofKernel,
                Language.C, 0));
        return functions.size() - 1;
    }

    /** @param stack functions from the start of the thread on; those of the C library begin with lib: */
    private SuggestedProbesTest spends(long tid, Metric metric, long nanos, String... stack) {
        int node = 0;
        for (String name : stack) {
            Survey.Call call = new Survey.Call(node, function(name));
            node = calls.indexOf(call);
            if (node <= 0) {
                calls.add(call);
                node = calls.size() - 1;
            }
        }
        times.add(new Survey.Time(node, tid, metric, nanos, 1));
        threads.computeIfAbsent(tid, _ -> new LinkedHashMap<>()).merge(metric, nanos, Long::sum);
        return this;
    }

    private SurveyedFunctions surveyed() {
        return new SurveyedFunctions(new Survey(SHOP, new Stretch(0, 1000, 0), new Survey.Tree(functions, calls, times), threads.entrySet().stream()
                .map(thread -> {
                    Map<Metric, Long> waited = new LinkedHashMap<>(thread.getValue());
                    waited.remove(Metric.ON_CPU);
                    return new Survey.ThreadTimes(thread.getKey(), "worker", thread.getValue().getOrDefault(Metric.ON_CPU, 0L),
                            waited);
                }).toList(), new Survey.Quality(0, 0, 0, 0, 0, 0, 0, 0), new Survey.Sampling(1, 1), "", new Survey.Cost(0, 0, 0)));
    }

    private List<String> suggested() {
        return names(new SuggestedProbes(surveyed()).functions());
    }

    private static List<String> names(List<FunctionTimes> functions) {
        return functions.stream().map(f -> f.function().name()).toList();
    }

    @Test
    void goesFromALoopThatNeverReturnsToWhatItCalls() {
        spends(1, Metric.ON_CPU, 300, "lib:start", "main", "loop", "price");
        spends(1, Metric.LOCK, 200, "lib:start", "main", "loop", "flush", "lib:mutex");
        spends(1, Metric.SLEEP, 500, "lib:start", "main", "loop", "lib:poll");
        assertThat(suggested()).containsExactly("price", "flush");
    }

    @Test
    void looksIntoACallThatIsNearlyAllOfItsCallers() {
        spends(1, Metric.BLOCK_IO, 90, "main", "serve", "command", "save", "lib:fsync");
        spends(1, Metric.ON_CPU, 10, "main", "serve", "command");
        spends(1, Metric.NETWORK, 100, "main", "lib:epoll_wait");
        assertThat(suggested()).containsExactly("save");
    }

    /** As of an interpreter, which calls it by functions that have no names: else nothing would be said of most of the time. */
    @Test
    void whereAFunctionThatDoesNotReturnWaitsInTheLibraryThatIsWhatToMeasure() {
        spends(1, Metric.BLOCK_IO, 300, "lib:start", "main", "lib:fsync", "lib:syscall_cancel", "kernel:do_fsync");
        spends(1, Metric.RUN_QUEUE, 500, "lib:start", "main", "lib:fsync", "lib:syscall_cancel", "kernel:do_fsync");
        spends(1, Metric.ON_CPU, 80, "lib:start", "main", "lib:memcpy");
        spends(1, Metric.SLEEP, 70, "lib:start", "main", "lib:poll");
        spends(1, Metric.ON_CPU, 50, "lib:start", "main", "encode");
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(names(suggested.functions())).containsExactly("lib:fsync", "encode");
        assertThat(suggested.probe(functions.get(function("lib:fsync")))).hasToString("libc.so.6:lib:fsync");
    }

    /** Nothing else was seen of it; who waits for others is not blamed. */
    @Test
    void soItIsWhereItDoesNothingElse() {
        spends(1, Metric.BLOCK_IO, 1000, "lib:start", "main", "lib:fsync");
        spends(2, Metric.OTHER, 1000, "lib:start", "master", "lib:sigsuspend");
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(names(suggested.functions())).containsExactly("lib:fsync");
        assertThat(names(suggested.endless())).containsExactly("master");
    }

    @Test
    void whatAFewStacksSawIsNotWorthProbes() {
        spends(1, Metric.ON_CPU, 600, "lib:start", "serve");
        spends(2, Metric.ON_CPU, 9, "lib:start", "compile");
        spends(3, Metric.ON_CPU, 10, "lib:start", "collect");
        for (long tid = 1; tid <= 3; tid++) {
            spends(tid, Metric.LOCK, 390, "lib:start", "lib:wait");
        }
        assertThat(suggested()).containsExactly("serve", "collect");
    }

    @Test
    void ofAProcessThatHardlyDoesAnythingTheFirstIs() {
        spends(1, Metric.ON_CPU, 5, "lib:start", "tick");
        spends(1, Metric.ON_CPU, 4, "lib:start", "tock");
        spends(1, Metric.SLEEP, 991, "lib:start", "lib:sleep");
        assertThat(suggested()).containsExactly("tick");
    }

    @Test
    void takesTheCallerOfWhatItMayCallInALoop() {
        spends(1, Metric.ON_CPU, 90, "main", "serve", "keysCommand", "dictNext");
        spends(1, Metric.ON_CPU, 5, "main", "serve", "keysCommand");
        spends(1, Metric.NETWORK, 100, "main", "lib:epoll_wait");
        assertThat(suggested()).containsExactly("keysCommand");
    }

    @Test
    void takesTheCallerWhereNothingThatItCallsIsMostOfIt() {
        spends(1, Metric.ON_CPU, 50, "main", "serve");
        spends(1, Metric.ON_CPU, 30, "main", "serve", "parse");
        spends(1, Metric.NETWORK, 100, "main", "lib:epoll_wait");
        assertThat(suggested()).containsExactly("serve");
    }

    @Test
    void callersOfAHelperAreToBlameForIt() {
        for (String caller : List.of("a", "b", "c")) {
            spends(1, Metric.ON_CPU, 100, "main", caller, "work");
        }
        spends(1, Metric.SLEEP, 10, "main", "lib:sleep");
        assertThat(suggested()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void waitsForTimeAndPeersComeLast() {
        spends(1, Metric.NETWORK, 900, "main", "receive", "lib:recv");
        spends(1, Metric.ON_CPU, 100, "main", "answer");
        assertThat(suggested()).containsExactly("answer", "receive");
    }

    /** Four threads of a pool that have nothing to do waited longer than anybody for the lock, and nobody for them. */
    @Test
    void waitsForAConditionComeLast() {
        for (long tid = 2; tid < 6; tid++) {
            spends(tid, Metric.LOCK, 900, "lib:start", "worker", "uv_cond_wait", "lib:pthread_cond_wait@@GLIBC_2.3.2", "kernel:futex");
            spends(tid, Metric.ON_CPU, 100, "lib:start", "worker", "resolve");
        }
        spends(1, Metric.LOCK, 700, "lib:start", "main", "insert", "lib:pthread_mutex_lock", "kernel:futex");
        spends(1, Metric.SLEEP, 300, "lib:start", "main", "lib:poll");
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(names(suggested.functions())).containsExactly("insert", "resolve", "uv_cond_wait");
        assertThat(suggested.functions()).extracting(FunctionTimes::isForCondition).containsExactly(false, false, true);
    }

    /** sem_wait ends with a jump to it. */
    @Test
    void aThreadThatWaitsForASemaphoreAllTheTimeHasNoBusyTime() {
        spends(1, Metric.LOCK, 1000, "lib:start", "uv_sem_wait", "lib:__new_sem_wait_slow64.constprop.0", "kernel:futex");
        assertThat(new SuggestedProbes(surveyed()).endless()).singleElement()
                .satisfies(wait -> assertThat(wait.busyNanos()).isZero());
    }

    @Test
    void whatDoesNotReturnIsNotSuggestedButNamed() {
        spends(1, Metric.ON_CPU, 100, "main", "spin");
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(suggested.functions()).isEmpty();
        assertThat(names(suggested.endless())).containsExactly("spin");
    }

    /** On a busy machine it takes some milliseconds of a survey until a thread first runs. */
    @Test
    void aLoopDoesNotReturnThoughItsThreadWasNotSeenAtOnce() {
        spends(1, Metric.PREEMPTED, 8);
        spends(1, Metric.SLEEP, 700, "lib:start", "loop", "poll", "lib:nanosleep");
        spends(1, Metric.SLEEP, 292, "lib:start", "loop", "lib:nanosleep");
        SurveyedFunctions surveyed = surveyed();
        assertThat(names(new SuggestedProbes(surveyed).functions())).contains("poll").doesNotContain("loop");
        assertThat(surveyed.byWall()).filteredOn(FunctionTimes::isAlwaysThere).extracting(f -> f.function().name()).contains("loop");
    }

    /** Of a stack that can't be copied the kernel's functions are known, of one that is cut off the last that were called. */
    @Test
    void aLoopDoesNotReturnThoughSomeStacksLackTheirFirstFunctions() {
        spends(1, Metric.RUN_QUEUE, 7, "kernel:schedule");
        spends(1, Metric.SLEEP, 7, "poll", "lib:nanosleep");
        spends(1, Metric.SLEEP, 694, "lib:start", "loop", "poll", "lib:nanosleep");
        spends(1, Metric.SLEEP, 292, "lib:start", "loop", "lib:nanosleep");
        SurveyedFunctions surveyed = surveyed();
        assertThat(names(new SuggestedProbes(surveyed).functions())).contains("poll").doesNotContain("loop");
        assertThat(surveyed.byWall()).filteredOn(FunctionTimes::isAlwaysThere).extracting(f -> f.function().name())
                .contains("loop").doesNotContain("poll");
    }

    @Test
    void aFunctionThatIsLeftNowAndThenIsMeasuredThoughSomeStacksLackTheirFirstFunctions() {
        spends(1, Metric.RUN_QUEUE, 20, "serve");
        spends(1, Metric.ON_CPU, 960, "lib:start", "serve");
        spends(1, Metric.SLEEP, 20, "lib:start", "lib:sleep");
        assertThat(suggested()).containsExactly("serve");
    }

    /** As of code whose callers can't be found: none of these functions is seen to be called. */
    @Test
    void whereNoStackGoesBackToItsThreadsStartAFunctionReturnsThatOthersRunBeside() {
        spends(1, Metric.ON_CPU, 900, "serve", "lib:copy");
        spends(1, Metric.ON_CPU, 100, "parse", "lib:copy");
        assertThat(suggested()).containsExactly("serve", "parse");
    }

    @Test
    void littleThatIsKnownOfAThreadSaysNotThatAFunctionDoesNotReturn() {
        spends(1, Metric.SLEEP, 600);
        spends(1, Metric.ON_CPU, 400, "work");
        assertThat(suggested()).containsExactly("work");
    }

    @Test
    void aRecursionCountsOnce() {
        spends(1, Metric.ON_CPU, 60, "main", "walk", "walk", "walk");
        spends(1, Metric.SLEEP, 40, "main", "lib:sleep");
        SurveyedFunctions surveyed = surveyed();
        assertThat(surveyed.byWall()).filteredOn(f -> f.function().name().equals("walk")).singleElement()
                .satisfies(walk -> assertThat(walk.wallNanos()).isEqualTo(60));
        assertThat(names(new SuggestedProbes(surveyed).functions())).containsExactly("walk");
    }

    @Test
    void namesOneOfSeveralOverloadsByItsSymbol() {
        functions.add(new Survey.Function("price", "_Z5pricei", "/srv/shop", false, Language.CPP, 0));
        functions.add(new Survey.Function("price", "_Z5priced", "/srv/shop", false, Language.CPP, 0));
        functions.add(new Survey.Function("total", "_Z5totali", "/srv/shop", false, Language.CPP, 0));
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(functions.stream().map(function -> suggested.probe(function).toString())).containsExactly("shop:_Z5pricei",
                "shop:_Z5priced", "shop:total");
    }

    @Test
    void namesAFileByItsPathWhereItsNameIsNotClear() {
        functions.add(new Survey.Function("other", "other", "/opt/shop", false, Language.C, 0));
        spends(1, Metric.ON_CPU, 60, "main", "price");
        spends(1, Metric.SLEEP, 40, "main", "lib:sleep");
        SuggestedProbes suggested = new SuggestedProbes(surveyed());
        assertThat(suggested.probe(functions.get(function("price")))).hasToString("/srv/shop:price");
        assertThat(suggested.probe(functions.get(function("lib:sleep")))).hasToString("libc.so.6:lib:sleep");
    }
}
