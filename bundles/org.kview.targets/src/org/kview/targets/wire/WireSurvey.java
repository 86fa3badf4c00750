// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.kview.targets.wire.WireNumbers.checkNumber;
import static org.kview.targets.wire.WireNumbers.counted;
import static org.kview.targets.wire.WireNumbers.metric;
import static org.kview.targets.wire.WireNumbers.sum;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.kview.model.Metric;
import org.kview.targets.values.FunctionInfo.Language;
import org.kview.targets.values.Stretch;
import org.kview.targets.values.Survey;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.SurveyFunction;
import org.kview.wire.proto.SurveyQuality;
import org.kview.wire.proto.SurveyReply;
import org.kview.wire.proto.SurveyRequest;
import org.kview.wire.proto.SurveyThread;
import org.kview.wire.proto.SurveyTime;

/** Converts surveys. A reply that can't be right throws an {@link IllegalArgumentException}. */
public final class WireSurvey {
    /** An agent's stacks have 512 functions of the process and 48 of the kernel. */
    private static final int MOST_DEPTH = 1024;
    /**
     * Well above an agent's own limits (150,000 nodes, 300,000 times with a stack, 8,192 threads, 1,024 files): a frame has
     * room for hundred times as many, and what is made of them would take all memory.
     */
    private static final int MOST_NODES = 300_000;
    private static final int MOST_TIMES = 1_000_000;
    private static final int MOST_THREADS = 20_000;
    private static final int MOST_FILES = 10_000;

    private WireSurvey() {
    }

    public static SurveyRequest request(SurveySpec spec) {
        return SurveyRequest.newBuilder().setPid((int) spec.pid()).setStartTimeNs(spec.startTimeNanos())
                .setDurationMs((int) spec.duration().toMillis()).setSamplesPerSecond(spec.samplesPerSecond()).build();
    }

    public static Void ended(FromAgent reply) throws TargetException {
        return WireValues.expect(reply, FromAgent.BodyCase.END_SURVEY);
    }

    public static Survey survey(FromAgent message) throws TargetException {
        WireValues.expect(message, FromAgent.BodyCase.SURVEY);
        SurveyReply reply = message.getSurvey();
        checkNumbers(reply);
        List<Survey.Function> functions = reply.getFunctionsList().stream().map(f -> function(f, reply)).toList();
        List<Survey.Call> calls = calls(reply, functions.size());
        checkThreads(reply.getThreadsList());
        if (counted(reply.getEndNs()) < counted(reply.getBeginNs())) {
            throw new IllegalArgumentException("an end before the begin");
        }
        return new Survey(WireValues.process(reply.getProcess()),
                new Stretch(reply.getBeginNs(), reply.getEndNs(), reply.getRealtimeOffsetNs()),
                new Survey.Tree(functions, calls, times(reply, calls.size())),
                reply.getThreadsList().stream().map(WireSurvey::thread).toList(), quality(reply.getQuality()),
                new Survey.Sampling(counted(reply.getCpuPeriodNs()), counted(reply.getWaitPeriodNs())), reply.getNote(),
                new Survey.Cost(counted(reply.getProcessCpuNs()), counted(reply.getCostNs()), counted(reply.getAgentCpuNs())));
    }

    private static Survey.Function function(SurveyFunction f, SurveyReply reply) {
        if (f.getFile() < 0 || f.getFile() > reply.getFilesCount()) {
            throw new IllegalArgumentException("a function in a file that is not there: " + f.getFile());
        }
        Language language = switch (f.getLanguage()) {
            case LANGUAGE_C -> Language.C;
            case LANGUAGE_CPP -> Language.CPP;
            case LANGUAGE_RUST -> Language.RUST;
            case LANGUAGE_GO -> Language.GO;
            case LANGUAGE_UNKNOWN, UNRECOGNIZED -> Language.UNKNOWN;
        };
        return new Survey.Function(f.getName(), f.getSymbol(), f.getFile() == 0 ? ""
                : reply.getFiles(f.getFile() - 1).getPath(), f.getKernel(), language, f.getAddress());
    }

    private static void checkNumbers(SurveyReply reply) {
        checkNumber("functions of a survey", reply.getFunctionsCount(), MOST_NODES);
        checkNumber("calls of a survey", reply.getParentsCount(), MOST_NODES);
        checkNumber("times of a survey", reply.getTimesCount(), MOST_TIMES);
        checkNumber("threads of a survey", reply.getThreadsCount(), MOST_THREADS);
        checkNumber("files of a survey", reply.getFilesCount(), MOST_FILES);
    }

    private static List<Survey.Call> calls(SurveyReply reply, int functions) {
        if (reply.getParentsCount() != reply.getNodeFunctionsCount() || reply.getParentsCount() == 0) {
            throw new IllegalArgumentException("a tree of " + reply.getParentsCount() + " parents and "
                    + reply.getNodeFunctionsCount() + " functions");
        }
        List<Survey.Call> calls = new ArrayList<>(reply.getParentsCount());
        int[] depth = new int[reply.getParentsCount()];
        for (int i = 0; i < reply.getParentsCount(); i++) {
            int parent = reply.getParents(i);
            int function = reply.getNodeFunctions(i);
            // So the tree has no rings, and ends at its first node.
            if (parent < 0 || i > 0 && (parent >= i || function < 0 || function >= functions)) {
                throw new IllegalArgumentException("node " + i + " is function " + function + " below node " + parent);
            }
            depth[i] = i == 0 ? 0 : depth[parent] + 1;
            if (depth[i] > MOST_DEPTH) {
                throw new IllegalArgumentException("a stack of more than " + MOST_DEPTH + " calls");
            }
            calls.add(new Survey.Call(i == 0 ? 0 : parent, function));
        }
        return calls;
    }

    private static List<Survey.Time> times(SurveyReply reply, int calls) {
        List<Survey.Time> times = new ArrayList<>(reply.getTimesCount());
        long all = 0;
        for (SurveyTime time : reply.getTimesList()) {
            if (time.getNode() < 0 || time.getNode() >= calls) {
                throw new IllegalArgumentException("a time in a node that is not there: " + time.getNode());
            }
            all = sum(all, time.getTimeNs());
            times.add(new Survey.Time(time.getNode(), Integer.toUnsignedLong(time.getTid()), metric(time.getMetricValue()),
                    counted(time.getTimeNs()), Integer.toUnsignedLong(time.getStacks())));
        }
        return times;
    }

    private static void checkThreads(List<SurveyThread> threads) {
        long all = 0;
        Set<Integer> seen = new HashSet<>();
        for (SurveyThread thread : threads) {
            if (!seen.add(thread.getTid())) {
                throw new IllegalArgumentException("a thread that is told of twice: " + Integer.toUnsignedString(thread.getTid()));
            }
            all = sum(all, thread.getOnCpuNs());
            for (long waited : thread.getWaitedNsList()) {
                all = sum(all, waited);
            }
        }
    }

    private static Survey.ThreadTimes thread(SurveyThread thread) {
        if (thread.getCausesCount() != thread.getWaitedNsCount()) {
            throw new IllegalArgumentException("causes and their times differ in number: " + thread.getCausesCount()
                    + " and " + thread.getWaitedNsCount());
        }
        Map<Metric, Long> waited = new EnumMap<>(Metric.class);
        for (int i = 0; i < thread.getCausesCount(); i++) {
            waited.merge(metric(thread.getCausesValue(i)), counted(thread.getWaitedNs(i)), Long::sum);
        }
        return new Survey.ThreadTimes(Integer.toUnsignedLong(thread.getTid()), thread.getName(),
                counted(thread.getOnCpuNs()), waited);
    }

    private static Survey.Quality quality(SurveyQuality q) {
        if (counted(q.getCompleteStacks()) > counted(q.getStacks())
                || counted(q.getCutStacks()) > q.getStacks() - q.getCompleteStacks()) {
            throw new IllegalArgumentException("more stacks that are complete or cut than there are");
        }
        return new Survey.Quality(counted(q.getStacks()), counted(q.getCompleteStacks()), counted(q.getCompleteNs()),
                counted(q.getCutStacks()), counted(q.getLostStacks()), counted(q.getLostNs()),
                counted(q.getUnfollowedThreads()), counted(q.getPooledStacks()));
    }
}
