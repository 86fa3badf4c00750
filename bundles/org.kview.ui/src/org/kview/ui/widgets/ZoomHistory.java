// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;

/**
 * Which parts of a picture were shown, one after the other: <em>Undo</em> and <em>Redo</em> of the view that has it go back and forth
 * among them. What a wheel or a held key does in one go is one step; to show all, and to begin there, is always one.
 *
 * @param <P> a part
 */
public final class ZoomHistory<P> {
    private static final int MOST = 100;
    private static final long PAUSE_NANOS = 600_000_000;

    private final Deque<P> before = new ArrayDeque<>();
    private final Deque<P> after = new ArrayDeque<>();
    private final P all;
    private final Consumer<P> shows;
    private final LongSupplier nanoTime;
    private final IAction undo = Actions.of("&Undo Zoom", this::undo);
    private final IAction redo = Actions.of("&Redo Zoom", this::redo);
    private P shown;
    private long notedNanos;
    private boolean going;

    /**
     * @param all   what is shown at first
     * @param shows shows another part
     */
    public ZoomHistory(P all, Consumer<P> shows) {
        this(all, shows, System::nanoTime);
    }

    ZoomHistory(P all, Consumer<P> shows, LongSupplier nanoTime) {
        this.all = all;
        this.shows = shows;
        this.nanoTime = nanoTime;
        forget();
    }

    /** What undoes and redoes something is enabled while a view has something to undo. */
    public void install(IActionBars bars) {
        Actions.global(bars, ActionFactory.UNDO, undo);
        Actions.global(bars, ActionFactory.REDO, redo);
    }

    /** To a menu, with the keys. */
    public void addTo(IMenuManager menu) {
        menu.add(Actions.keyed(undo, ActionFactory.UNDO));
        menu.add(Actions.keyed(redo, ActionFactory.REDO));
    }

    /** Another picture begins with all of it. */
    public void forget() {
        before.clear();
        after.clear();
        shown = all;
        notedNanos = nanoTime.getAsLong() - PAUSE_NANOS;
        enable();
    }

    /** This part is shown now, whoever chose it. */
    public void note(P part) {
        if (going || part.equals(shown)) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (now - notedNanos >= PAUSE_NANOS || shown.equals(all) || part.equals(all)) {
            before.push(shown);
            if (before.size() > MOST) {
                before.removeLast();
            }
        }
        notedNanos = now;
        after.clear();
        shown = part;
        enable();
    }

    /** Shows what was shown before. */
    public void undo() {
        go(before, after);
    }

    /** Shows what was shown before the last undo. */
    public void redo() {
        go(after, before);
    }

    private void go(Deque<P> from, Deque<P> to) {
        if (from.isEmpty()) {
            return;
        }
        to.push(shown);
        shown = from.pop();
        // The next part is a step of its own.
        notedNanos = nanoTime.getAsLong() - PAUSE_NANOS;
        going = true;
        try {
            shows.accept(shown);
        } finally {
            going = false;
        }
        enable();
    }

    private void enable() {
        undo.setEnabled(!before.isEmpty());
        redo.setEnabled(!after.isEmpty());
    }
}
