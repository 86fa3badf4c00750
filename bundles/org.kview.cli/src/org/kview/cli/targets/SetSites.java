// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelSites.Figures;
import org.kview.targets.values.TargetException;

/**
 * What the sites of a set counted, at one look or two.
 *
 * @param now    empty where they can't be read
 * @param before at the first of two looks
 * @param note   one sentence if the sites, or their names, can't be told; else empty
 */
record SetSites(Optional<KernelSites> now, Optional<KernelSites> before, String note) {

    /** One line. @param rate hits a second between the two looks; empty if there was one */
    record Line(String name, Figures figures, OptionalDouble rate) {
    }

    /** Asks for a set's sites, with their names. */
    static SetSites of(Agent agent, long set) throws TargetException, InterruptedException {
        try {
            KernelSites sites = KernelViewList.sites(agent, set, true);
            return new SetSites(Optional.of(sites), Optional.empty(), sites.namesNote());
        } catch (TargetException e) {
            return new SetSites(Optional.empty(), Optional.empty(), reason(e));
        }
    }

    /** Looks again. */
    SetSites again(Agent agent, long set) throws TargetException, InterruptedException {
        if (now.isEmpty()) {
            return this;
        }
        try {
            KernelSites next = KernelViewList.sites(agent, set, false);
            KernelSites named = new KernelSites(next.readNanos(), next.count(), now.get().names(), now.get().namesNote(), next.figures());
            return new SetSites(Optional.of(named), now, note);
        } catch (TargetException e) {
            return new SetSites(now, Optional.empty(), reason(e));
        }
    }

    /** Of sites that counted from one instant to another one, in ns by their host's clock, whenever they were read. */
    SetSites between(long beginNanos, long endNanos) {
        return new SetSites(now.map(sites -> readAt(sites, endNanos)), before.map(sites -> readAt(sites, beginNanos)), note);
    }

    private static KernelSites readAt(KernelSites sites, long nanos) {
        return new KernelSites(nanos, sites.count(), sites.names(), sites.namesNote(), sites.figures());
    }

    /** Of one set; a host that can't be asked any more is no matter of a set. */
    private static String reason(TargetException e) throws TargetException {
        if (e.kind() == TargetException.Kind.CONNECTION_LOST || e.kind() == TargetException.Kind.NOT_REACHED) {
            throw e;
        }
        return e.getMessage();
    }

    /** @param all also sites that have counted nothing; the largest numbers come first */
    List<Line> lines(boolean all) {
        if (now.isEmpty()) {
            return List.of();
        }
        KernelSites sites = now.get();
        Map<Integer, Long> then = new HashMap<>();
        before.ifPresent(b -> b.figures().forEach(f -> then.put(f.site(), f.hits())));
        double seconds = before.map(b -> (sites.readNanos() - b.readNanos()) / 1e9).orElse(0.0);
        List<Line> lines = new ArrayList<>();
        for (Figures figures : all ? everySite(sites) : sites.figures()) {
            long more = figures.hits() - then.getOrDefault(figures.site(), 0L);
            lines.add(new Line(name(sites, figures.site()), figures,
                    seconds > 0 && more >= 0 ? OptionalDouble.of(more / seconds) : OptionalDouble.empty()));
        }
        Comparator<Line> order = Comparator.comparingDouble((Line line) -> line.rate().orElse(0))
                .thenComparingLong(line -> line.figures().hits()).thenComparingLong(line -> line.figures().rejected().total());
        return lines.stream().sorted(order.reversed()).toList();
    }

    private static List<Figures> everySite(KernelSites sites) {
        List<Figures> all = new ArrayList<>();
        int next = 0;
        for (Figures figures : sites.figures()) {
            while (next < figures.site()) {
                all.add(Figures.none(next++));
            }
            all.add(figures);
            next++;
        }
        while (next < sites.count()) {
            all.add(Figures.none(next++));
        }
        return all;
    }

    private static String name(KernelSites sites, int site) {
        String name = sites.names().isEmpty() ? "" : sites.names().get(site);
        return name.isEmpty() ? "site " + site : name;
    }
}
