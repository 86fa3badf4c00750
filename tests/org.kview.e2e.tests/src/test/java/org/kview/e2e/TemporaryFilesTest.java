// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A zipped session is unpacked into the temporary folder: nothing stays there, whatever ends the command. */
class TemporaryFilesTest {
    private static final int RANDOM_BYTES = 4 << 20;
    private static final int ATTEMPTS = 50;
    private static final int ZERO_BYTES = 300 << 20;

    @TempDir
    private static Path zips;
    @TempDir
    private Path folder;
    private Path temporary;

    @BeforeAll
    static void makeTheZip() throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new Random(1).nextBytes(random);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zips.resolve("s.kview.zip")))) {
            // What can't be packed allows for a hundred times as much that can.
            ZipEntry first = new ZipEntry("s.kview/trace/cpu_0");
            CRC32 crc = new CRC32();
            crc.update(random);
            first.setMethod(ZipEntry.STORED);
            first.setSize(random.length);
            first.setCrc(crc.getValue());
            out.putNextEntry(first);
            out.write(random);
            out.putNextEntry(new ZipEntry("s.kview/trace/cpu_1"));
            byte[] zeros = new byte[1 << 20];
            for (int written = 0; written < ZERO_BYTES; written += zeros.length) {
                out.write(zeros);
            }
            out.putNextEntry(new ZipEntry("s.kview/session.json"));
            out.write("{}".getBytes());
        }
    }

    @BeforeEach
    void makeTheFolder() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
    }

    private Running report() throws IOException {
        ProcessBuilder builder = Kview.builder(folder, "report", zips.resolve("s.kview.zip").toString());
        builder.environment().merge("KVIEW_JVM_OPTIONS", "-Djava.io.tmpdir=" + temporary, (usual, own) -> usual + " " + own);
        return Running.start(builder);
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> file.getFileName().toString().startsWith("kview-"))
                    .collect(Collectors.toCollection(ArrayList::new));
        }
    }

    /** From then on the folder is locked: one that is killed between the two leaves a folder that nobody removes. */
    private static boolean isBeingUnpacked(Path temporaryFolder) {
        try (Stream<Path> files = Files.walk(temporaryFolder)) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            return names.contains("cpu_0") && !names.contains("session.json");
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /**
     * One that was stopped while it unpacked, so that what it is sent then meets it there. Where this process came too late for that, as on a
     * busy machine, it is tried once more.
     */
    private Running stoppedWhileItUnpacks(List<Path> others) throws Exception {
        for (int i = 0; i < ATTEMPTS; i++) {
            Running kview = report();
            if (isStoppedWhileItUnpacks(kview, others)) {
                return kview;
            }
            kview.signal("CONT").await();
            kview.close();
        }
        throw new AssertionError("none of " + ATTEMPTS + " was met while it unpacked");
    }

    private boolean isStoppedWhileItUnpacks(Running kview, List<Path> others) throws Exception {
        while (unpacked(others).isEmpty()) {
            if (!kview.process().isAlive()) {
                return false;
            }
            Thread.sleep(2);
        }
        // It may end just now, and then takes no signal.
        new ProcessBuilder("kill", "-STOP", Long.toString(kview.pid())).redirectError(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        return kview.process().isAlive() && unpacked(others).size() == 1;
    }

    private List<Path> unpacked(List<Path> others) throws IOException {
        return left().stream().filter(file -> !others.contains(file) && isBeingUnpacked(file)).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT", "HUP"})
    void aSignalLeavesNothing(String signal) throws Exception {
        try (Running kview = stoppedWhileItUnpacks(List.of())) {
            kview.signal(signal).signal("CONT");
            assertThat(kview.await().exitCode()).isGreaterThan(128);
            assertThat(left()).isEmpty();
        }
    }

    @Test
    void whatAKilledOneLeavesTheNextOneRemovesAndNothingElse() throws Exception {
        try (Running killed = stoppedWhileItUnpacks(List.of())) {
            killed.signal("KILL").process().waitFor();
        }
        List<Path> leftOver = left();
        assertThat(leftOver).hasSize(1);
        Path others = Files.createDirectory(temporary.resolve("kview-temporary-of-another"));
        try (Running living = stoppedWhileItUnpacks(leftOver)) {
            List<Path> own = left();
            own.removeAll(leftOver);
            try (Running next = report()) {
                next.await();
            }
            assertThat(own).as("that of the one that lives, and one that nobody locked").hasSize(2);
            assertThat(left()).containsExactlyInAnyOrderElementsOf(own);
            living.signal("CONT").await();
        }
        assertThat(left()).containsExactly(others);
    }
}
