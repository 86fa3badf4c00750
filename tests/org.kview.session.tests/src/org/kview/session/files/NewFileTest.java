// SPDX-License-Identifier: EPL-2.0
package org.kview.session.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewFileTest {
    @TempDir
    Path folder;

    private static void make(Path file) throws IOException {
        Files.writeString(file, "new", StandardOpenOption.CREATE_NEW);
    }

    @Test
    void theFileIsThereAndNothingBesideIt() throws Exception {
        Path file = folder.resolve("profile");
        NewFile.create(file, NewFileTest::make);
        assertThat(file).hasContent("new");
        assertThat(folder.toFile().list()).containsExactly("profile");
    }

    @Test
    void nothingIsLeftOfWhatFailed() {
        assertThatThrownBy(() -> NewFile.create(folder.resolve("profile"), temporary -> {
            make(temporary);
            throw new IOException("the disk is full");
        })).hasMessage("the disk is full");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatAnotherProgramMadeMeanwhileStaysAndNothingBesideIt() {
        Path file = folder.resolve("profile");
        assertThatThrownBy(() -> NewFile.create(file, temporary -> {
            make(temporary);
            Files.writeString(file, "another's");
        })).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("another's");
        assertThat(folder.toFile().list()).containsExactly("profile");
    }

    /** Two may export to the same name at the same time. */
    @Test
    void whatAnotherProgramIsAboutToMakeStays() {
        Path file = folder.resolve("profile");
        assertThatThrownBy(() -> NewFile.create(file, temporary -> {
            Files.writeString(temporary, "another's");
            make(temporary);
        })).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(folder.toFile().listFiles()).singleElement().satisfies(
                left -> assertThat(left).hasContent("another's"));
    }
}
