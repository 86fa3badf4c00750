// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.ui.Ui;
import org.kview.ui.session.RecordingFixture;

class LostTargetsTest {
    @TempDir
    Path folder;

    private final FakeHost host = new FakeHost("web-3");
    private final TargetConnection target = FakeHost.connection(host);

    @AfterEach
    void close() throws InterruptedException {
        RecordingFixture.stopAndClose();
        target.disconnect();
        Ui.settle();
    }

    @Test
    void aTargetIsThereAgainWithItsRecordingsLink() throws Exception {
        target.connect();
        RecordingFixture.record(target, folder.resolve("shop.kview"));
        host.loseFirst();
        Ui.await("its own link is lost, or back already", () -> host.connections() > 2
                || target.status().state() == TargetStatus.State.LOST);
        AtomicInteger calls = new AtomicInteger();
        Ui.await("it is there again", () -> {
            host.count(calls.incrementAndGet(), 0);
            return target.status().state() == TargetStatus.State.CONNECTED;
        });
        assertThat(host.connections()).as("the one to look at, the recording's, and the new one").isEqualTo(3);
    }
}
