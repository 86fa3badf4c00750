// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.util.Map;

import org.eclipse.ui.AbstractSourceProvider;
import org.eclipse.ui.ISources;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/**
 * Tells the workbench's expressions what kind of session is shown, and whether a recording runs, so that commands know
 * when they apply.
 */
public final class SessionSourceProvider extends AbstractSourceProvider implements SessionListener {
    public static final String VARIABLE = "org.kview.ui.session";

    /** "none", "shown", or "aside" while something else is shown. */
    public static final String RECORDING_VARIABLE = "org.kview.ui.recording";

    private SessionService service;
    private Map<String, String> current = Map.of(VARIABLE, "none", RECORDING_VARIABLE, "none");

    @Override
    public void initialize(IServiceLocator locator) {
        service = locator.getService(SessionService.class);
        current = now(service.state());
        service.add(this);
    }

    @Override
    public void sessionChanged(SessionState state) {
        Map<String, String> next = now(state);
        if (!next.equals(current)) {
            current = next;
            fireSourceChanged(ISources.WORKBENCH, current);
        }
    }

    private Map<String, String> now(SessionState state) {
        String recording = service.recording().isEmpty() ? "none" : service.isAside() ? "aside" : "shown";
        return Map.of(VARIABLE, kind(state), RECORDING_VARIABLE, recording);
    }

    private static String kind(SessionState state) {
        return switch (state) {
            case SessionState.None _ -> "none";
            case SessionState.Busy _ -> "busy";
            case SessionState.Recording _ -> "recording";
            case SessionState.Opened _ -> "opened";
            case SessionState.Failed _ -> "failed";
        };
    }

    @Override
    public Map<String, String> getCurrentState() {
        return current;
    }

    @Override
    public String[] getProvidedSourceNames() {
        return new String[] {VARIABLE, RECORDING_VARIABLE};
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.remove(this);
        }
    }
}
