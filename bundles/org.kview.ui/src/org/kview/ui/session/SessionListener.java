// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

/** Told what the workbench shows, on the UI thread. */
@FunctionalInterface
public interface SessionListener {
    void sessionChanged(SessionState state);
}
