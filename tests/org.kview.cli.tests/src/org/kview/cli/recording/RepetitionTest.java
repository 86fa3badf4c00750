// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepetitionTest {
    @TempDir
    Path folder;

    @Test
    void eachRecordingHasANumberAndOneAloneHasNone() {
        assertThat(Repetition.outputs(Path.of("out/pay.kview"), 3)).containsExactly(Path.of("out/pay-1.kview"),
                Path.of("out/pay-2.kview"), Path.of("out/pay-3.kview"));
        assertThat(Repetition.outputs(Path.of("pay"), 2)).containsExactly(Path.of("pay-1.kview"), Path.of("pay-2.kview"));
        assertThat(Repetition.outputs(Path.of("pay.kview"), 1)).containsExactly(Path.of("pay.kview"));
    }

    @Test
    void whatIsThereAlreadyIsFoundBeforehand() throws Exception {
        List<Path> outputs = Repetition.outputs(folder.resolve("s.kview"), 3);
        assertThat(Repetition.existing(outputs)).isEmpty();
        Files.createSymbolicLink(outputs.get(1), folder.resolve("nowhere"));
        assertThat(Repetition.existing(outputs)).contains(outputs.get(1));
    }
}
