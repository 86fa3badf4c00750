// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.selection;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.ui.PlatformUI;
import org.kview.model.Bookmark.Range;

/**
 * What is selected of the open session's calls: the same in all views. Whoever changes it hears of it as all others do. For the UI
 * thread.
 */
public final class SelectionService {
    private final List<SelectionListener> listeners = new CopyOnWriteArrayList<>();
    private CallSelection selection = CallSelection.ALL;
    private Optional<Range> shown = Optional.empty();
    private Optional<Range> focus = Optional.empty();

    SelectionService() {
    }

    /** The workbench's. */
    public static SelectionService get() {
        return PlatformUI.getWorkbench().getService(SelectionService.class);
    }

    /** Which calls are looked at. */
    public CallSelection selection() {
        return selection;
    }

    /** The time that views over time show; empty for the whole recording. */
    public Optional<Range> shown() {
        return shown;
    }

    /** The time of the single call that is looked at; empty if there is none. */
    public Optional<Range> focus() {
        return focus;
    }

    /** Looks at other calls, and no longer at a single one. */
    public void select(CallSelection next) {
        if (!next.equals(selection)) {
            change(next, shown, Optional.empty());
        }
    }

    /** Looks at the calls that returned in a stretch of time, and no longer at a single one. */
    public void selectTime(Optional<Range> time) {
        change(selection.withTime(time), shown, Optional.empty());
    }

    public void show(Optional<Range> time) {
        change(selection, time, focus);
    }

    /** Looks at a single call: that leaves the selection as it is. */
    public void focus(Optional<Range> time) {
        change(selection, shown, time);
    }

    /** Another session is open. */
    public void clear() {
        change(CallSelection.ALL, Optional.empty(), Optional.empty());
    }

    private void change(CallSelection nextSelection, Optional<Range> nextShown, Optional<Range> nextFocus) {
        if (!nextSelection.equals(selection) || !nextShown.equals(shown) || !nextFocus.equals(focus)) {
            selection = nextSelection;
            shown = nextShown;
            focus = nextFocus;
            listeners.forEach(listener -> listener.selectionChanged(this));
        }
    }

    /** Adds a listener; it is not told what is selected now. */
    public void add(SelectionListener listener) {
        listeners.add(listener);
    }

    public void remove(SelectionListener listener) {
        listeners.remove(listener);
    }
}
