// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.KernelViews.SiteSet;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.ui.targets.part.TargetPoll;

/**
 * Asks for the kernel views, and for the sites of those sets that somebody looks at. What the sites are is asked once, as their
 * names are most of it.
 */
final class ViewsQuestion implements TargetPoll.Question<ViewsReading> {
    private volatile List<Long> wanted = List.of();
    /** By the set's number, of the agent that was asked last; the poll asks one at a time. */
    private final Map<Long, List<String>> names = new HashMap<>();
    private Optional<Agent> asked = Optional.empty();

    /** From now on, the sites of these sets are asked for. */
    void want(List<Long> sets) {
        wanted = List.copyOf(sets);
    }

    List<Long> wanted() {
        return wanted;
    }

    @Override
    public ViewsReading ask(Agent agent) throws TargetException, InterruptedException {
        List<Long> sets = wanted;
        if (asked.filter(agent::equals).isEmpty()) {
            names.clear();
            asked = Optional.of(agent);
        }
        names.keySet().retainAll(sets);
        KernelViews views = KernelViewList.of(agent);
        List<ViewsReading.Sites> sites = new ArrayList<>();
        for (KernelViews.View view : views.views()) {
            for (SiteSet set : view.sets()) {
                if (sets.contains(set.id())) {
                    sites.add(sites(agent, set));
                }
            }
        }
        return new ViewsReading(views, sites);
    }

    private ViewsReading.Sites sites(Agent agent, SiteSet set) throws TargetException, InterruptedException {
        List<String> known = names.get(set.id());
        try {
            KernelSites now = KernelViewList.sites(agent, set.id(), known == null);
            if (known == null) {
                known = now.names();
                // Without names, why there are none is asked again.
                if (!known.isEmpty() || now.count() == 0) {
                    names.put(set.id(), known);
                }
            }
            KernelSites named = new KernelSites(now.readNanos(), now.count(), known, now.namesNote(), now.figures());
            return new ViewsReading.Sites(set, Optional.of(named), now.namesNote());
        } catch (TargetException e) {
            if (e.kind() == Kind.CONNECTION_LOST || e.kind() == Kind.NOT_REACHED) {
                throw e;
            }
            return new ViewsReading.Sites(set, Optional.empty(), e.getMessage());
        }
    }
}
