// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.eclipse.core.runtime.Platform;
import org.kview.ui.KviewUi;
import org.osgi.framework.Bundle;

/** A recording of the demo that comes with the workbench: to look around in without recording anything. */
public final class SampleSession {
    private static final String NAME = "sample.kview.zip";

    private SampleSession() {
    }

    /**
     * A copy of it, as this version has it.
     *
     * @throws IOException if it can't be written
     */
    public static Path inWorkspace() throws IOException {
        Bundle bundle = Platform.getBundle(KviewUi.BUNDLE_ID);
        Path copy = Platform.getStateLocation(bundle).toPath().resolve(NAME);
        Path whole = copy.resolveSibling(NAME + ".new");
        try (InputStream in = bundle.getEntry("sample/" + NAME).openStream()) {
            Files.copy(in, whole, StandardCopyOption.REPLACE_EXISTING);
        }
        // One that is cut off would stay and not open.
        return Files.move(whole, copy, StandardCopyOption.REPLACE_EXISTING);
    }
}
