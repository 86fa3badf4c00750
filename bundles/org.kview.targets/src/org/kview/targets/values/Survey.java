// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Map;

import org.kview.model.Metric;
import org.kview.targets.values.FunctionInfo.Language;

/**
 * Where the wall-clock time of all threads of a process went during a survey: a tree of calls, and the time in its nodes.
 *
 * @param process  the process as it was at the beginning
 * @param stretch  when it was made
 * @param tree     the calls, and the time in them
 * @param threads  all that were seen
 * @param quality  how far the stacks can be relied on
 * @param sampling how much of the time is in the tree by samples
 * @param note     one sentence if it ended before its time; otherwise empty
 * @param cost     what it took
 */
public record Survey(ProcessInfo process, Stretch stretch, Tree tree, List<ThreadTimes> threads, Quality quality, Sampling sampling,
        String note, Cost cost) {

    public Survey {
        threads = List.copyOf(threads);
    }

    /**
     * What the threads called.
     *
     * @param functions all that are in the tree
     * @param calls     the tree's nodes: parents come before their children; the first is the start of all threads
     * @param times     in each node without its children, by thread and reason; the sums are those of the threads
     */
    public record Tree(List<Function> functions, List<Call> calls, List<Time> times) {
        public Tree {
            functions = List.copyOf(functions);
            calls = List.copyOf(calls);
            times = List.copyOf(times);
        }
    }

    /**
     * What a sample stands for.
     *
     * @param cpuPeriodNanos  for how much time on a CPU
     * @param waitPeriodNanos waits that are shorter are in the tree by a sample of them
     */
    public record Sampling(long cpuPeriodNanos, long waitPeriodNanos) {
    }

    /**
     * What a survey took.
     *
     * @param processCpuNanos CPU time of the process meanwhile
     * @param programsNanos   what the survey's eBPF programs took of its threads' time
     * @param agentCpuNanos   CPU time of the agent meanwhile
     */
    public record Cost(long processCpuNanos, long programsNanos, long agentCpuNanos) {
    }

    /**
     * A function of a file or of the kernel.
     *
     * @param name   demangled where mangled; the address of code without a symbol; empty where nothing is known
     * @param symbol empty if it has none, so that it can't be probed
     * @param binary the path of its file as the process sees it; empty for the kernel and for code that is in no file
     * @param address where it begins, in its file's address space; 0 if that is not known
     */
    public record Function(String name, String symbol, String binary, boolean kernel, Language language, long address) {
    }

    /**
     * A node of the tree.
     *
     * @param parent   index in the list of calls
     * @param function index in the list of functions; of no meaning for the first node
     */
    public record Call(int parent, int function) {
    }

    /** @param stacks from how many stacks; 0 if none was taken, then the call is the first node */
    public record Time(int call, long tid, Metric metric, long nanos, long stacks) {
    }

    /** @param waitedNanos by cause; only those that occurred */
    public record ThreadTimes(long tid, String name, long onCpuNanos, Map<Metric, Long> waitedNanos) {
        public ThreadTimes {
            waitedNanos = Map.copyOf(waitedNanos);
        }

        /** All of its time. */
        public long wallNanos() {
            return onCpuNanos + waitedNanos.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * What is known of the stacks.
     *
     * @param complete          of these: those that go to the start of their thread
     * @param cut               of those that are not: those that were deeper than what is copied, or not in memory
     * @param lost              those that found no room on their way to the agent
     * @param lostNanos         the time for which the lost ones stood
     * @param unfollowedThreads threads beyond the agent's limit
     * @param pooled            those that count in a shorter stack, because the tree was full
     */
    public record Quality(long stacks, long complete, long completeNanos, long cut, long lost, long lostNanos,
            long unfollowedThreads, long pooled) {
    }
}
