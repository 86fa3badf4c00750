// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

import org.eclipse.core.runtime.ILog;
import org.eclipse.ui.PlatformUI;
import org.kview.model.ComparedWays;
import org.kview.session.json.WaysJson;

/**
 * The comparison of ways to record that was made last: who closes the view, or the workbench, or opens another session, need not
 * measure again. It is kept in the workspace.
 */
public final class WaysService {
    private static final long MOST_BYTES = 1 << 20;

    private final Path file;
    private Optional<ComparedWays> latest;

    /** @param file where it is kept, which need not be there */
    WaysService(Path file) {
        this.file = file;
        latest = read(file);
    }

    /** The workbench's. */
    static WaysService get() {
        return PlatformUI.getWorkbench().getService(WaysService.class);
    }

    /** One that is damaged is none. */
    private static Optional<ComparedWays> read(Path file) {
        try {
            return Files.size(file) > MOST_BYTES ? Optional.empty() : WaysJson.read(Files.readString(file));
        } catch (NoSuchFileException | CharacterCodingException e) {
            return Optional.empty();
        } catch (IOException e) {
            ILog.get().warn("The ways to record that were compared can't be read", e);
            return Optional.empty();
        }
    }

    synchronized Optional<ComparedWays> latest() {
        return latest;
    }

    /** Writes a file: not for the UI thread. Where that fails it is kept until the workbench ends. */
    synchronized void keep(ComparedWays ways) {
        latest = Optional.of(ways);
        try {
            Path whole = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), WaysJson.text(ways));
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            ILog.get().warn("The ways to record that were compared can't be kept", e);
        }
    }

    /** As if none had been compared yet. */
    synchronized void forget() throws IOException {
        latest = Optional.empty();
        Files.deleteIfExists(file);
    }
}
