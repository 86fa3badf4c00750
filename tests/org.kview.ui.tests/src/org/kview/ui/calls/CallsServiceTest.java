// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.IJobChangeListener;
import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.session.read.SessionReader;
import org.kview.session.store.CallStores;
import org.kview.session.write.HostsFolder;
import org.kview.ui.RealSession;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionController;

class CallsServiceTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private final List<CallsState> told = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    private CallsService service(CallStores stores) {
        CallsService service = new CallsService(stores, Runnable::run);
        service.add(told::add);
        return service;
    }

    private void await(Class<? extends CallsState> kind) throws InterruptedException {
        Ui.await(kind.getSimpleName(), LONG, () -> !told.isEmpty() && kind.isInstance(told.getLast()));
    }

    private CallStores stores() {
        return CallStores.in(folder.resolve("stores"), Long.MAX_VALUE);
    }

    private Path onlyStore() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("stores"))) {
            return files.filter(file -> file.toString().endsWith(".calls")).toList().getFirst();
        }
    }

    @Test
    void theOpenSessionHasItsCallsAndLetsGoOfThemWithIt() throws Exception {
        RealSession.open(RealSession.in(folder));
        int calls = RealSession.store().ask(StoredSession::calls).orElseThrow();
        assertThat(calls).isEqualTo(Math.toIntExact(RealSession.calls()));
        var store = RealSession.store();
        RealSession.close();
        assertThat(Ui.get(() -> CallsService.get().state())).isInstanceOf(CallsState.None.class);
        assertThat(store.ask(StoredSession::calls)).isEmpty();
    }

    @Test
    void aSessionWithoutEventsHasNone() throws Exception {
        Ui.get(SessionController::get).open(SessionFixture.write(folder.resolve("plain.kview"), false)).join();
        assertThat(Ui.get(() -> CallsService.get().state())).isInstanceOf(CallsState.WithoutEvents.class);
    }

    /** One that is damaged, and one of another version. */
    @Test
    void aStoreThatIsOfNoUseIsMadeAnew() throws Exception {
        Path demo = RealSession.in(folder);
        for (int at : new int[] {0, 8, 40, -1}) {
            try (SessionReader session = SessionReader.open(demo)) {
                CallsService service = service(stores());
                service.open(demo, session);
                await(CallsState.Stored.class);
                int calls = told.getLast().store().orElseThrow().ask(StoredSession::calls).orElseThrow();
                assertThat(calls).isPositive();
                service.close();
                byte[] bytes = Files.readAllBytes(onlyStore());
                bytes[at < 0 ? bytes.length / 3 : at] ^= 1;
                Files.write(onlyStore(), bytes);
            }
        }
        assertThat(told.stream().filter(CallsState.Failed.class::isInstance)).isEmpty();
    }

    @Test
    void cancelledItIsMadeOnDemand() throws Exception {
        Path demo = RealSession.in(folder);
        List<String> names = new ArrayList<>();
        IJobChangeListener cancelling = new JobChangeAdapter() {
            @Override
            public void running(IJobChangeEvent event) {
                if (event.getJob() instanceof StoreJob) {
                    names.add(event.getJob().getName());
                    event.getJob().cancel();
                }
            }
        };
        try (SessionReader session = SessionReader.open(demo)) {
            CallsService service = service(stores());
            Job.getJobManager().addJobChangeListener(cancelling);
            try {
                service.open(demo, session);
                await(CallsState.Cancelled.class);
            } finally {
                Job.getJobManager().removeJobChangeListener(cancelling);
            }
            assertThat(names).containsExactly("Store the calls of demo.kview.zip");
            service.again();
            await(CallsState.Stored.class);
            service.close();
        }
    }

    /** What was stored of them stays in sight, and storing the others goes on when it is wanted. */
    @Test
    void cancelledOnTheWayItKeepsWhatThereIs() throws Exception {
        Path demo = RealSession.in(folder);
        AtomicBoolean cancelled = new AtomicBoolean();
        try (SessionReader session = SessionReader.open(demo)) {
            CallsService service = new CallsService(stores(), Runnable::run, Duration.ofMinutes(1), _ -> slowed() || cancelled.getAndSet(true));
            service.add(told::add);
            service.open(demo, session);
            await(CallsState.Part.class);
            SessionCallStore part = told.getLast().store().orElseThrow();
            int some = part.ask(StoredSession::calls).orElseThrow();
            assertThat(some).isPositive().isLessThan(Math.toIntExact(StoreJob.expected(session)));
            assertThat(part.ask(calls -> calls.list(CallSelector.ALL, CallFilter.ALL, CallOrder.SLOWEST_FIRST, _ -> true).size()).orElseThrow()).isEqualTo(some);
            assertThat(((CallsState.Part) told.getLast()).why()).isEqualTo("storing the others was cancelled");
            told.clear();
            service.again();
            await(CallsState.Stored.class);
            assertThat(told.getFirst()).as("it stays in sight meanwhile").isEqualTo(new CallsState.Growing(part));
            assertThat(told).noneMatch(state -> state instanceof CallsState.Storing || state.store().isEmpty());
            service.close();
            assertThat(part.ask(StoredSession::calls)).as("it is let go of").isEmpty();
        }
    }

    /** Storing takes so long until something was told of it; says whether nothing was. */
    private boolean slowed() {
        boolean untold = told.stream().noneMatch(CallsState.Growing.class::isInstance);
        if (untold) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(210));
        }
        return untold;
    }

    /** Of two hosts, the store of the first is made here, and then that of the second by another program. */
    @Test
    void whatAnotherProgramMakesMeanwhileIsWaitedForWithoutFigures() throws Exception {
        Path two = twoHosts();
        try (SessionReader session = SessionReader.open(two)) {
            Files.createDirectories(folder.resolve("stores"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            CallsService service = new CallsService(stores(), Runnable::run, Duration.ofMinutes(1), _ -> slowed() || true);
            service.add(told::add);
            Path other = folder.resolve("stores").resolve(session.events().getLast().identity() + ".lock");
            try (FileChannel channel = FileChannel.open(other, StandardOpenOption.CREATE, StandardOpenOption.WRITE); FileLock _ = channel.lock()) {
                service.open(two, session);
                Ui.await("some are at hand", LONG, () -> told.stream().anyMatch(CallsState.Growing.class::isInstance));
                await(CallsState.Storing.class);
            }
            await(CallsState.Stored.class);
            service.close();
        }
    }

    private Path twoHosts() throws Exception {
        Path session = Files.createDirectory(folder.resolve("two.kview"));
        for (Path part : HostsFolder.create(session, List.of("web-1", "web-2")).values()) {
            Files.deleteIfExists(part);
            Path zip = RealSession.in(Files.createTempDirectory(folder, "demo"));
            try (FileSystem files = FileSystems.newFileSystem(zip); Stream<Path> all = Files.walk(files.getPath("demo.kview"))) {
                for (Path file : all.toList()) {
                    Files.copy(file, part.resolve(files.getPath("demo.kview").relativize(file).toString()));
                }
            }
            // Otherwise both have the same store.
            Path stream = part.resolve("trace/cpu_0");
            if (part.toString().contains("web-2")) {
                Files.write(stream, Arrays.copyOf(Files.readAllBytes(stream), Math.toIntExact(Files.size(stream) - 1)));
            }
        }
        return session;
    }

    /** As where a thread that reads the trace has none left. */
    @Test
    void tooLittleMemoryIsSaidAndEndsNothingElse() throws Exception {
        Path demo = RealSession.in(folder);
        try (SessionReader session = SessionReader.open(demo)) {
            CallsService service = new CallsService(stores(), work -> {
                if (Job.getJobManager().currentJob() instanceof StoreJob && told.stream().noneMatch(CallsState.Stored.class::isInstance)) {
                    told.add(new CallsState.None());
                    throw new OutOfMemoryError("on purpose");
                }
                work.run();
            });
            service.open(demo, session);
            Ui.await("it is said", LONG, () -> service.state() instanceof CallsState.Failed(String why) && why.contains("too little memory"));
            service.close();
        }
    }

    private static boolean isFollowed(String name) {
        return Arrays.stream(Job.getJobManager().find(null)).anyMatch(job -> job instanceof LiveJob && job.getName().contains(name));
    }

    /** A recording's calls take a part of the processor and of the disk: for nobody they are not stored. */
    @Test
    void aRecordingIsFollowedWhileSomebodyLooks() throws Exception {
        Path recording = folder.resolve("unlooked.kview");
        CallsService service = new CallsService(stores(), Runnable::run, Duration.ofMillis(1), _ -> true);
        service.follow(recording, Instant.EPOCH);
        assertThat(isFollowed("unlooked.kview")).isFalse();
        service.looks(this, true);
        assertThat(isFollowed("unlooked.kview")).isTrue();
        service.looks(folder, true);
        service.looks(this, false);
        assertThat(isFollowed("unlooked.kview")).isTrue();
        service.looks(folder, false);
        Ui.await("nobody follows it", LONG, () -> !isFollowed("unlooked.kview"));
        service.looks(this, true);
        assertThat(isFollowed("unlooked.kview")).as("somebody looks again").isTrue();
        service.leave();
        Ui.await("it has ended", LONG, () -> !isFollowed("unlooked.kview"));
        service.looks(this, false);
        service.looks(this, true);
        assertThat(isFollowed("unlooked.kview")).isFalse();
    }

    private static List<Job> following(String name) {
        return Arrays.stream(Job.getJobManager().find(null)).filter(job -> job instanceof LiveJob && job.getName().contains(name)).toList();
    }

    /** A recording that was removed is still followed for a while, as one often looks again. */
    @Test
    void anotherRecordingAtItsPlaceHasItsOwnCalls() throws Exception {
        Path recording = folder.resolve("again.kview");
        CallsService service = new CallsService(stores(), Runnable::run);
        service.looks(this, true);
        service.follow(recording, Instant.EPOCH);
        List<Job> first = following("again.kview");
        assertThat(first).hasSize(1);
        service.leave();
        service.follow(recording, Instant.EPOCH);
        assertThat(following("again.kview")).as("the same").isEqualTo(first);
        service.leave();
        service.follow(recording, Instant.EPOCH.plusNanos(1));
        assertThat(following("again.kview")).as("another one").anyMatch(job -> job != first.getFirst());
        Ui.await("the first one ends", LONG, () -> !following("again.kview").contains(first.getFirst()));
        assertThat(following("again.kview")).hasSize(1);
        service.leave();
        service.end();
    }

    @Test
    void whatCannotBeStoredIsSaidInOneSentence() throws Exception {
        Path demo = RealSession.in(folder);
        try (SessionReader session = SessionReader.open(demo)) {
            // A file is where the folder would be.
            CallsService service = service(CallStores.in(Files.writeString(folder.resolve("file"), "").resolve("stores"), 1L << 30));
            service.open(demo, session);
            await(CallsState.Failed.class);
            assertThat(((CallsState.Failed) told.getLast()).message()).contains("can't be made in").doesNotContain("Exception");
            service.close();
        }
    }
}
