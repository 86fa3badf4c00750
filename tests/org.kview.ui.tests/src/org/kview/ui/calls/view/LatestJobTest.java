// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.eclipse.core.runtime.NullProgressMonitor;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.ISchedulingRule;
import org.eclipse.core.runtime.jobs.Job;
import org.junit.jupiter.api.Test;

class LatestJobTest {
    private static final String SLOW = "slow";
    private static final String WRONG = "wrong";
    private static final String BROKEN = "broken";

    private final BlockingQueue<String> answered = new LinkedBlockingQueue<>();
    private final List<String> unanswered = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Echo job = new Echo();

    /** What is slow goes on until it is not wanted any more. */
    private final class Echo extends LatestJob<String, String> {
        Echo() {
            super("Echo", answered::add, unanswered::add);
            setSystem(true);
        }

        @Override
        protected void answer(String wish, BooleanSupplier wanted) {
            if (wish.equals(WRONG)) {
                throw new IllegalStateException("This is only a test.");
            }
            if (wish.equals(BROKEN)) {
                throw new AssertionError("This is only a test.");
            }
            if (wish.equals(SLOW)) {
                begun.countDown();
                while (wanted.getAsBoolean()) {
                    Thread.onSpinWait();
                }
                throw new CancellationException();
            }
            tell(wish);
        }
    }

    private void assertAnswered(String wish) throws InterruptedException {
        assertThat(answered.poll(2, TimeUnit.MINUTES)).isEqualTo(wish);
    }

    @Test
    void whoeverCancelsItIsNotWaitedForInVain() throws Exception {
        job.ask(SLOW);
        begun.await();
        job.cancel();
        job.join();
        assertThat(unanswered).containsExactly(SLOW);
        job.ask("again");
        assertAnswered("again");
    }

    @Test
    void neitherIsOneThatFails() throws Exception {
        job.ask(WRONG);
        job.join();
        job.ask(BROKEN);
        job.join();
        assertThat(unanswered).containsExactly(WRONG, BROKEN);
    }

    @Test
    void itMayBeCancelledBeforeItBegins() throws Exception {
        ISchedulingRule busy = new ISchedulingRule() {
            @Override
            public boolean contains(ISchedulingRule rule) {
                return rule == this;
            }

            @Override
            public boolean isConflicting(ISchedulingRule rule) {
                return rule == this;
            }
        };
        job.setRule(busy);
        Job.getJobManager().beginRule(busy, new NullProgressMonitor());
        try {
            job.ask("never begun");
            job.cancel();
            // It may have been about to run.
            job.join();
        } finally {
            Job.getJobManager().endRule(busy);
        }
        assertThat(unanswered).containsExactly("never begun");
        assertThat(answered).isEmpty();
    }

    @Test
    void whatIsAskedInsteadIsAnswered() throws Exception {
        job.ask(SLOW);
        begun.await();
        job.ask("instead");
        assertAnswered("instead");
        assertThat(unanswered).isEmpty();
    }

    /** Eclipse tells of a job's end some time after it: by then it may have begun anew. */
    @Test
    void whatIsToldLateOfAnEndConcernsNoneThatBeganSince() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        IJobChangeListener holdUp = IJobChangeListener.onDone(event -> {
            if (event.getJob() == job && first.compareAndSet(true, false)) {
                ended.countDown();
                try {
                    late.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        Job.getJobManager().addJobChangeListener(holdUp);
        try {
            job.ask("first");
            assertAnswered("first");
            ended.await();
            job.ask(SLOW);
            begun.await();
            late.countDown();
        } finally {
            Job.getJobManager().removeJobChangeListener(holdUp);
        }
        job.ask("then");
        assertAnswered("then");
        assertThat(unanswered).isEmpty();
    }

    @Test
    void nobodyWaitsForWhatWasForgotten() throws Exception {
        job.ask(SLOW);
        begun.await();
        job.forget();
        job.ask("another");
        assertAnswered("another");
        assertThat(unanswered).isEmpty();
    }
}
