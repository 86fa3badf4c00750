// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;

class TrashTest {
    private static final Instant NOW = Instant.parse("2026-11-20T14:02:07.120Z");

    @TempDir
    Path temp;

    private Path session;

    @BeforeEach
    void record() throws SessionException {
        session = temp.resolve("shop.kview");
        SampleRecording.record(session);
    }

    private Trash at(Instant now) {
        return new Trash(temp, Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void whatIsDeletedCanBeBroughtBackEvenByAnotherProgram() throws Exception {
        Trash.Entry entry = at(NOW).put(session);
        assertThat(session).doesNotExist();
        assertThat(new SessionLibrary(temp).scan(n -> { })).isEmpty();
        assertThat(at(NOW).entries()).containsExactly(entry);
        assertThat(entry.deleted()).isEqualTo(NOW);
        assertThat(Trash.restore(at(NOW).entries().getFirst())).isEqualTo(session);
        SessionReader.open(session).close();
        assertThat(temp).isDirectoryNotContaining("glob:**kview-trash");
    }

    @Test
    void twoOfTheSameNameInTheSameMomentAndAThirdInTheirPlace() throws Exception {
        Trash.Entry first = at(NOW).put(session);
        record();
        Trash.Entry second = at(NOW).put(session);
        record();
        assertThat(at(NOW).entries()).containsExactlyInAnyOrder(first, second);
        assertThat(Trash.restore(first)).hasFileName("shop restored.kview");
        assertThat(Trash.restore(second)).hasFileName("shop restored 2.kview");
        assertThat(new SessionLibrary(temp).scan(n -> { })).hasSize(3);
        assertThatThrownBy(() -> Trash.restore(first)).isInstanceOf(SessionException.class)
                .hasMessageContaining("the trash was emptied");
    }

    @Test
    void onlyWhatIsOlderThanAMonthIsRemovedAndNothingOfOthers() throws Exception {
        Trash.Entry old = at(NOW).put(session);
        record();
        Trash.Entry fresh = at(NOW.plus(Duration.ofDays(2))).put(session);
        Path strange = Files.createDirectories(temp.resolve(".kview-trash/mine/x.kview"));
        Path part = Files.createDirectory(temp.resolve(".kview-part-1-1"));
        Files.setLastModifiedTime(part, FileTime.from(NOW.plus(Duration.ofDays(28))));
        Path building = Files.createDirectory(temp.resolve(".kview-part-2-1"));
        Files.setLastModifiedTime(building, FileTime.from(NOW.plus(Duration.ofDays(31))));

        at(NOW.plus(Trash.KEPT)).purge();
        assertThat(old.path()).exists();
        at(NOW.plus(Trash.KEPT).plusMillis(1)).purge();
        assertThat(old.path()).doesNotExist();
        assertThat(fresh.path()).exists();
        assertThat(strange).exists();
        assertThat(part).doesNotExist();
        assertThat(building).exists();
        at(NOW).empty();
        assertThat(fresh.path()).doesNotExist();
        assertThat(strange).exists();
    }

    /** What a link leads to is someone else's. */
    @Test
    void purgingFollowsNoLinks() throws Exception {
        Path outside = Files.createDirectories(temp.resolve("outside"));
        Files.writeString(outside.resolve("keep"), "x");
        Files.createSymbolicLink(session.resolve("away"), outside);
        at(NOW).put(session);
        at(NOW).empty();
        assertThat(outside.resolve("keep")).exists();
        assertThat(temp).isDirectoryNotContaining("glob:**kview-trash");
        Files.createSymbolicLink(temp.resolve(".kview-trash"), outside);
        record();
        assertThatThrownBy(() -> at(NOW).put(session)).hasMessageContaining("is a link");
        assertThat(session).exists();
    }
}
