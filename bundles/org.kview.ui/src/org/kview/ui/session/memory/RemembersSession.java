// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session.memory;

import org.eclipse.ui.IMemento;

/**
 * A view whose state goes with the session that it shows, such as a filter or a selection. Called on
 * the UI thread; needs no registration.
 */
public interface RemembersSession {
    /** Saves what {@link #restoreSession} needs, for the session that is shown. */
    void saveSession(IMemento memento);

    /**
     * Takes up what was saved for the session that is shown now. Earlier versions may have saved less,
     * later ones more.
     */
    void restoreSession(IMemento memento);
}
