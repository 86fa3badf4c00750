// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.core.runtime.ILog;
import org.junit.jupiter.api.Test;

class NoErrorIsLoggedTest {
    /** This class does nothing for it: so it watches the others as well. */
    @Test
    void errorsAreSeenAndWarningsAreNot() {
        ILog log = ILog.of(NoErrorIsLoggedTest.class);
        log.warn("This is a warning of a test.");
        log.error("This is an error of a test.", new IllegalStateException("why"));
        assertThat(NoErrorIsLogged.take()).singleElement().asString().contains("This is an error of a test.").contains("why");
    }
}
