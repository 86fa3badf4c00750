// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.Optional;
import java.util.function.Consumer;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.part.ViewPart;
import org.kview.calls.CallBox;
import org.kview.session.calls.SessionCallStore;
import org.kview.ui.UiThread;
import org.kview.ui.calls.CallsListener;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Looking;

/**
 * A view of the open session's single calls, which follows the one selection. Where there are no calls at hand it says why, and
 * what can be done.
 *
 * @param <W> what it asks of them
 */
public abstract class CallsPart<W> extends ViewPart implements CallsListener, SelectionListener, SessionListener {
    private CallsService calls;
    private SelectionService selection;
    private SessionService session;
    private MarksLine marks;
    private SoFarLine soFar;
    private Composite stack;
    private StackLayout pages;
    private CallsPage message;
    private Control page;
    /** What was asked for last, and what is in sight. */
    private Optional<W> wished = Optional.empty();
    private Optional<W> shown = Optional.empty();
    /** The calls that are looked at, which may be fewer than there are by now. */
    private Optional<SessionCallStore> looked = Optional.empty();
    /** Of which calls it was asked. */
    private Optional<SessionCallStore> asked = Optional.empty();
    /** Which calls are in sight. */
    private Optional<SessionCallStore> seen = Optional.empty();
    private Growth growth;
    /** It shows calls, to which others are added. */
    private boolean opened;

    /** What the view tells of calls, for the middle of a sentence. */
    protected abstract String subject();

    /** What stands above the page; the parent has a grid layout. */
    protected void createHead(Composite parent) {
        // Most views have nothing there.
    }

    /** What shows the calls. */
    protected abstract Control createPage(Composite parent);

    /** What finds the answers; made with the page. */
    protected abstract LatestJob<W, ?> job();

    /** The calls are at hand, or others are selected. */
    protected abstract void refresh(SessionCallStore store);

    /** The calls have come to hand. */
    protected void opened(SessionCallStore store) {
        refresh(store);
    }

    /** What is missing of the calls, or not known of them, may be something else by now. */
    protected void found(SessionCallStore store) {
        // Most views don't say it.
    }

    /** There are no calls any more: nothing may be left of them. */
    protected abstract void clear();

    /** What was asked for last gets no answer: nothing may say that it comes. */
    protected void lost() {
        // Most views say nothing.
    }

    @Override
    public final void createPartControl(Composite parent) {
        calls = CallsService.get();
        selection = SelectionService.get();
        session = SessionService.get();
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        createHead(parent);
        soFar = new SoFarLine(parent, calls::again);
        marks = new MarksLine(parent);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        message = new CallsPage(stack, getSite(), subject(), this::refresh);
        page = createPage(stack);
        calls.add(this);
        selection.add(this);
        session.add(this);
        growth = new Growth(stack.getDisplay(), this::look);
        getSite().getPage().addPartListener(new Looking(this, this::setLooked));
        // One that is made is about to be seen.
        calls.looks(this, true);
        callsChanged(calls.state());
    }

    @Override
    public final void callsChanged(CallsState state) {
        if (stack.isDisposed()) {
            return;
        }
        boolean some = state instanceof CallsState.Growing || state instanceof CallsState.Part;
        if (some && opened) {
            // There are more: those that are in sight stay there until these are.
            growth.grown();
            tellHowFar();
            return;
        }
        growth.forget();
        opened = some;
        looked = state.store();
        looked.ifPresentOrElse(store -> {
            show(page);
            found(store);
            opened(store);
            mark();
        }, () -> {
            unwish();
            clear();
            marks.clear();
            message.show(state);
            show(message);
        });
    }

    private void setLooked(boolean can) {
        if (!stack.isDisposed()) {
            calls.looks(this, can);
            growth.setLooked(can);
        }
    }

    /** More calls were stored. */
    private void look() {
        if (!stack.isDisposed()) {
            looked = calls.state().store();
            looked.ifPresent(this::found);
            refresh();
        }
    }

    /** Whether all of what was asked for last is in sight; what is in sight at first may be less. */
    protected boolean isAnswered() {
        return isShown();
    }

    private void show(Control next) {
        if (pages.topControl != next) {
            pages.topControl = next;
            stack.getParent().layout(true, true);
        }
    }

    @Override
    public final void selectionChanged(SelectionService changed) {
        refresh();
        mark();
    }

    @Override
    public final void sessionChanged(SessionState state) {
        refresh();
        mark();
    }

    /** Asks for what is to be shown now, if there are calls. */
    protected final void refresh() {
        if (!stack.isDisposed()) {
            looked.ifPresent(this::refresh);
        }
    }

    /** Says what has to be known of the functions whose calls are shown. */
    private void mark() {
        if (!stack.isDisposed()) {
            looked.ifPresentOrElse(_ -> marks.show(session, selection.selection().functions()), marks::clear);
        }
    }

    /** Asks for something, unless it was asked for last; says whether it did. */
    protected final boolean want(W wish) {
        if (wished.equals(Optional.of(wish))) {
            return false;
        }
        wished = Optional.of(wish);
        show(page);
        growth.asked();
        asked = looked;
        job().ask(wish);
        return true;
    }

    /** Says, where it was still waited for, that it won't come; whoever asks for the same once more gets it. On any thread. */
    protected final Consumer<W> unanswered() {
        return onUiThread(wish -> {
            if (wished.equals(Optional.of(wish))) {
                unwish();
                lost();
                message.showUnanswered();
                show(message);
            }
        });
    }

    /** There is nothing to ask for: what was asked for before is not waited for any more, and may be asked for again. */
    protected final void unwish() {
        job().forget();
        growth.answered();
        seen = Optional.empty();
        tellHowFar();
        wished = Optional.empty();
        shown = Optional.empty();
    }

    /** From the first to the last call of the host that is shown, or of all; empty if there are none. */
    protected static Optional<CallBox.Range> wholeTime(SessionCallStore store, Optional<String> host) {
        return store.ask(its -> its.time(host)).flatMap(range -> range);
    }

    /** What was asked for last. */
    protected final Optional<W> wished() {
        return wished;
    }

    /** Takes an answer, unless it comes too late: something else was asked for meanwhile. */
    protected final boolean take(W wish) {
        if (stack.isDisposed() || !wished.equals(Optional.of(wish))) {
            return false;
        }
        shown = wished;
        seen = asked;
        tellHowFar();
        // The view takes in first what it was told.
        UiThread.later(stack.getDisplay(), () -> {
            if (isAnswered()) {
                growth.answered();
            }
        });
        return true;
    }

    private void tellHowFar() {
        soFar.show(seen, calls.state());
    }

    /** The calls that are in sight. */
    protected final Optional<SessionCallStore> seen() {
        return seen;
    }

    /** What is in sight; empty if there is nothing yet. */
    protected final Optional<W> shown() {
        return shown;
    }

    /** Whether what was asked for last is in sight. */
    public final boolean isShown() {
        return shown.isPresent() && shown.equals(wished);
    }

    protected final SelectionService selection() {
        return selection;
    }

    protected final SessionService session() {
        return session;
    }

    protected final Optional<SessionCallStore> store() {
        return looked;
    }

    /** Passes an answer on to the UI thread; it is dropped if the view has been closed meanwhile. */
    protected final <A> Consumer<A> onUiThread(Consumer<A> show) {
        Display display = stack.getDisplay();
        return answer -> UiThread.later(display, () -> {
            if (!stack.isDisposed()) {
                show.accept(answer);
            }
        });
    }

    /** What has to be known of the times of the calls that are shown, in few words; empty if they are what they seem. */
    public final String marks() {
        return marks.text();
    }

    /** The same in full. */
    public final String marksInFull() {
        return marks.inFull();
    }

    /** Until when calls are shown, as others are still being stored; empty if all of them are. */
    public final String soFar() {
        return soFar.text();
    }

    /** What stores the others where that has ended. */
    public final Link goOn() {
        return soFar.goOn();
    }

    /** What stands there instead of calls, as a screen reader would say it; empty while calls are shown. */
    public final Optional<String> message() {
        return pages.topControl == message ? Optional.of(message.text()) : Optional.empty();
    }

    @Override
    public void setFocus() {
        pages.topControl.setFocus();
    }

    @Override
    public void dispose() {
        if (calls != null) {
            calls.remove(this);
            calls.looks(this, false);
            selection.remove(this);
            session.remove(this);
            job().forget();
        }
        super.dispose();
    }
}
