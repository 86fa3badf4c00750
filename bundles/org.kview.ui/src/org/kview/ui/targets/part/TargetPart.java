// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.part;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.ISelectionListener;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.targets.TargetService;
import org.kview.ui.text.Sentence;
import org.kview.ui.widgets.Looking;
import org.kview.ui.widgets.MessagePage;
import org.kview.ui.widgets.RowsTree;

/**
 * A view that lists something of the target that is chosen in the Targets view, renewed while one looks. Where there is nothing to
 * list it says why, and what can be done.
 *
 * @param <T> what the target tells
 */
public abstract class TargetPart<T> extends ViewPart {

    /**
     * What it lists.
     *
     * @param title   such as "Processes"
     * @param things  for the middle of a sentence: "processes"
     * @param purpose what one sees there, for the end of a sentence
     */
    public record Words(String title, String things, String purpose) {
    }

    private final Words words;
    private final TargetPoll<T> poll;
    private final Runnable changed = this::refreshSoon;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ISelectionListener follower = this::follow;
    private Display display;
    private TargetService service;
    private Optional<TargetConnection> target = Optional.empty();
    /** Whether there is an answer of this target; else why there is none, if the last question failed. */
    private boolean answered;
    private Optional<TargetException> failure = Optional.empty();
    private Composite stack;
    private StackLayout layout;
    private MessagePage message;
    private List<String> said = List.of();
    private Control list;

    protected TargetPart(Words words, TargetPoll.Question<T> question, int intervalMillis) {
        this.words = words;
        poll = new TargetPoll<>("List " + words.things(), question, intervalMillis, this::answered, this::failed);
    }

    /** What shows the list. */
    protected abstract Control createList(Composite parent);

    /** The list itself, which has the focus. */
    protected abstract RowsTree<?, ?> tree();

    /** Takes what the target tells now, and lists it. */
    protected abstract void update(T answer);

    /** Lists nothing: what was told before is over. */
    protected abstract void clear();

    /** Whether the list stays although the target did not answer, and says so itself. */
    protected boolean staysAfter(TargetException why) {
        return false;
    }

    /** What is said instead of a list with nothing in it: a sentence. */
    protected Optional<String> insteadOfList() {
        return Optional.empty();
    }

    /** Shows a view of that kind, for a target. */
    protected static void show(IWorkbenchPage page, String id, TargetConnection target) {
        try {
            ((TargetPart<?>) page.showView(id)).setTarget(Optional.of(target));
        } catch (PartInitException e) {
            ILog.of(TargetPart.class).log(e.getStatus());
        }
    }

    @Override
    public final void createPartControl(Composite parent) {
        display = parent.getDisplay();
        service = TargetService.get();
        stack = parent;
        layout = new StackLayout();
        parent.setLayout(layout);
        message = new MessagePage(parent, this::linkChosen);
        list = createList(parent);
        service.registry().listen(changed);
        getSite().getPage().addPartListener(new Looking(this, poll::setLooked));
        getSite().getPage().addSelectionListener(KviewUi.VIEW_TARGETS, follower);
        follow(this, getSite().getPage().getSelection(KviewUi.VIEW_TARGETS));
        refresh();
    }

    private void follow(IWorkbenchPart part, ISelection selection) {
        if (selection instanceof IStructuredSelection structured
                && structured.getFirstElement() instanceof TargetConnection connection) {
            setTarget(Optional.of(connection));
        }
    }

    public final void setTarget(Optional<TargetConnection> next) {
        if (!next.equals(target)) {
            target = next;
            tree().forget();
            forget();
            poll.setTarget(next);
            refresh();
        }
    }

    private void forget() {
        answered = false;
        failure = Optional.empty();
        clear();
    }

    private void answered(TargetConnection asked, T answer) {
        told(asked, () -> {
            answered = true;
            failure = Optional.empty();
            update(answer);
            refresh();
        });
    }

    private void failed(TargetConnection asked, TargetException why) {
        told(asked, () -> {
            if (!answered || !staysAfter(why)) {
                forget();
                failure = Optional.of(why);
                refresh();
            }
        });
    }

    private void told(TargetConnection asked, Runnable work) {
        onUi(() -> {
            if (target.filter(asked::equals).isPresent()) {
                work.run();
            }
        });
    }

    private void onUi(Runnable work) {
        UiThread.later(display, () -> {
            if (!stack.isDisposed()) {
                work.run();
            }
        });
    }

    private void refreshSoon() {
        if (refreshing.compareAndSet(false, true)) {
            onUi(() -> {
                refreshing.set(false);
                refresh();
                if (target.flatMap(TargetConnection::agent).isPresent() && !answered && failure.isEmpty()) {
                    poll.now();
                }
            });
        }
    }

    /** The list while the target is connected and has told something, else why there is none. */
    private void refresh() {
        setPartName(SafeText.line(target.isEmpty() ? words.title() : words.title() + " of " + name()));
        Optional<TargetStatus> status = target.map(TargetConnection::status);
        if (status.isEmpty()) {
            say(words.title(), "Choose a target in the Targets view to see " + words.purpose() + ".", "<a href=\"targets\">Targets</a>");
        } else if (!status.get().state().isUp()) {
            forget();
            sayLinkOf(status.get());
        } else if (failure.isPresent()) {
            say("Can't list the " + words.things() + " of " + name(), Sentence.of(failure.get().getMessage()), "<a href=\"again\">Try again</a>");
        } else if (!answered) {
            say(heading(), "Asking for its " + words.things() + "…", "");
        } else {
            insteadOfList().ifPresentOrElse(sentence -> say("No " + words.things() + " on " + name(), sentence, ""), () -> show(list));
        }
    }

    private void sayLinkOf(TargetStatus status) {
        String why = status.sentence().isEmpty() ? "" : Sentence.of(status.sentence());
        switch (status.state()) {
            case IDLE, CONNECTED -> say(heading(), "It is not connected.", "<a href=\"connect\">Connect</a>");
            case CONNECTING -> say("Connecting to " + name() + "…", "This takes a second or two, the first time some more.",
                    "<a href=\"cancel\">Cancel</a>");
            case RECONNECTING -> say(heading(), why.isEmpty() ? "The link is lost, and is being taken up again." : why,
                    "<a href=\"cancel\">Disconnect</a>");
            case LOST, FAILED -> say(status.state() == TargetStatus.State.LOST ? "The link to " + name() + " is lost"
                    : heading() + " is not connected", why, "<a href=\"connect\">Try again</a>");
        }
    }

    private boolean isLocal() {
        return target.filter(t -> t.origin() == TargetConnection.Origin.LOCAL).isPresent();
    }

    /** Within a sentence. */
    private String name() {
        return isLocal() ? "this machine" : target.map(TargetConnection::name).orElse("");
    }

    /** At its beginning. */
    private String heading() {
        return isLocal() ? "This machine" : name();
    }

    private void say(String title, String text, String links) {
        List<String> next = List.of(title, text, links);
        // The same again, each second: it is not laid out anew.
        if (!next.equals(said)) {
            said = next;
            message.show(title.replace("&", "&&"), text.replace("&", "&&"), links);
        }
        show(message);
    }

    private void show(Control page) {
        if (layout.topControl != page) {
            layout.topControl = page;
            stack.layout();
        }
    }

    private void linkChosen(String link) {
        switch (link) {
            case "connect" -> target.ifPresent(service::connect);
            case "cancel" -> target.ifPresent(service::disconnect);
            case "again" -> poll.now();
            default -> {
                try {
                    getSite().getPage().showView(KviewUi.VIEW_TARGETS);
                } catch (PartInitException e) {
                    ILog.of(getClass()).log(e.getStatus());
                }
            }
        }
    }

    public final Optional<TargetConnection> target() {
        return target;
    }

    public final TargetPoll<T> poll() {
        return poll;
    }

    /** What stands there instead of a list, as a screen reader would say it; empty while there is one. */
    public final String messageText() {
        return layout.topControl == message ? message.text() : "";
    }

    @Override
    public final void setFocus() {
        (layout.topControl == list ? tree().control() : stack).setFocus();
    }

    @Override
    public void dispose() {
        poll.setTarget(Optional.empty());
        poll.cancel();
        if (service != null) {
            service.registry().unlisten(changed);
        }
        getSite().getPage().removeSelectionListener(KviewUi.VIEW_TARGETS, follower);
        super.dispose();
    }
}
