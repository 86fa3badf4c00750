// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

/** Told how far the single calls of the open session are at hand, on the UI thread. */
@FunctionalInterface
public interface CallsListener {
    void callsChanged(CallsState state);
}
