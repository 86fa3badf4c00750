// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.util.Map;

import org.eclipse.ui.AbstractSourceProvider;
import org.eclipse.ui.ISources;
import org.eclipse.ui.services.IServiceLocator;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;

/** Tells the workbench's expressions what kind of session is shown, so that commands know when they apply. */
public final class SessionSourceProvider extends AbstractSourceProvider implements SessionListener {
    public static final String VARIABLE = "org.kview.ui.session";

    private SessionService service;
    private String kind = "none";

    @Override
    public void initialize(IServiceLocator locator) {
        service = locator.getService(SessionService.class);
        kind = kind(service.state());
        service.add(this);
    }

    @Override
    public void sessionChanged(SessionState state) {
        String next = kind(state);
        if (!next.equals(kind)) {
            kind = next;
            fireSourceChanged(ISources.WORKBENCH, VARIABLE, kind);
        }
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
        return Map.of(VARIABLE, kind);
    }

    @Override
    public String[] getProvidedSourceNames() {
        return new String[] {VARIABLE};
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.remove(this);
        }
    }
}
