// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import org.kview.model.MergedHosts;
import org.kview.model.ProbedFunction;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionService;

/** The selected lines of the Functions view are the functions of the selection that all views follow, in both directions. */
final class FunctionSelection implements SelectionListener {
    private final SelectionService selection = SelectionService.get();
    private final SessionService session;
    private final Choice choice;
    private boolean telling;

    /** Selects those of the functions in the table of which something is true. */
    @FunctionalInterface
    interface Choice {
        void select(Predicate<ProbedFunction> wanted);
    }

    FunctionSelection(SessionService session, Choice choice) {
        this.session = session;
        this.choice = choice;
        selection.add(this);
    }

    void dispose() {
        selection.remove(this);
    }

    /** The user has selected these. */
    void selected(List<ProbedFunction> functions) {
        Map<Object, Integer> ids = ids();
        Set<Integer> chosen = new HashSet<>();
        functions.forEach(function -> {
            // Of calls with a value the others are shown as well: events don't tell it.
            session.state().snapshot().flatMap(figures -> figures.whole(function))
                    .map(whole -> ids.get(MergedHosts.identity(whole.function()))).ifPresent(chosen::add);
        });
        telling = true;
        selection.select(selection.selection().withFunctions(chosen));
        telling = false;
    }

    @Override
    public void selectionChanged(SelectionService changed) {
        if (!telling) {
            Set<Integer> wanted = changed.selection().functions();
            Map<Object, Integer> ids = ids();
            // While a session closes, the table still has functions of which there are no figures any more.
            choice.select(function -> Optional.ofNullable(ids.get(MergedHosts.identity(function))).filter(wanted::contains).isPresent());
        }
    }

    /** Ids in the figures of all hosts together: of one host that is shown alone they may be others. */
    private Map<Object, Integer> ids() {
        Map<Object, Integer> ids = new HashMap<>();
        session.wholeFigures().ifPresent(figures -> figures.functions().forEach(
                latency -> ids.putIfAbsent(MergedHosts.identity(latency.function()), latency.function().id())));
        return ids;
    }
}
