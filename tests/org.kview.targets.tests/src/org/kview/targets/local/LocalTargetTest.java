// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

@Timeout(300)
class LocalTargetTest {
    @TempDir
    private Path folder;

    @Test
    void anAgentThatDoesNotExistIsNamed() {
        Path missing = folder.resolve("no-agent");
        assertThatThrownBy(() -> new LocalTarget(missing).connect()).isInstanceOfSatisfying(TargetException.class,
                e -> org.assertj.core.api.Assertions.assertThat(e.kind()).isEqualTo(Kind.NOT_REACHED))
                .hasMessageContaining(missing.toString()).hasMessageContaining("does not exist");
    }

    @Test
    void anAgentThatCantBeExecutedIsNamed() throws IOException {
        Path file = Files.createFile(folder.resolve("agent"));
        assertThatThrownBy(() -> new LocalTarget(file).connect()).hasMessageContaining("can't be executed");
    }

    @Test
    void whatAnAgentSaysBeforeItEndsIsPassedOn() throws IOException {
        Path script = script("#!/bin/sh\necho 'some words' >&2\necho 'kview-agent: no such option' >&2\nexit 64\n");
        assertThatThrownBy(() -> new LocalTarget(script).connect()).hasMessageContaining("exit status 64")
                .hasMessageContaining("kview-agent: no such option");
    }

    @Test
    void anotherProgramIsNoAgent() throws IOException {
        Path script = script("#!/bin/sh\necho 'Hello, what do you want?'\nsleep 20\n");
        assertThatThrownBy(() -> new LocalTarget(script).connect()).hasMessageContaining("can't be understood");
    }

    private Path script(String text) throws IOException {
        Path script = Files.writeString(folder.resolve("agent"), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
