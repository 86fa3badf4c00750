// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.kview.model.LatencySnapshot;
import org.kview.session.report.CsvLine;
import org.kview.session.report.OthersText;
import org.kview.session.report.SessionText;

/** What the Cost view shows of a session. */
record CostText(List<String> sentences, List<List<String>> lines) {
    /** Of one host, or of several: then the host stands before what is of it alone. */
    static CostText of(LatencySnapshot figures) {
        List<String> sentences = new ArrayList<>(new SessionText(figures).cost());
        List<List<String>> lines = new ArrayList<>();
        List<LatencySnapshot> hosts = figures.hosts().isEmpty() ? List.of(figures) : figures.hosts();
        for (LatencySnapshot host : hosts) {
            String where = hosts.size() == 1 ? "" : host.info().target() + ": ";
            if (!host.info().filterNote().isEmpty()) {
                sentences.add(where + host.info().filterNote());
            }
            OthersText others = new OthersText(host);
            others.sentences().forEach(sentence -> sentences.add(where + sentence));
            others.lines().forEach(line -> lines.add(Stream.concat(Stream.of(where + line.getFirst()), line.stream().skip(1)).toList()));
        }
        return new CostText(sentences.stream().distinct().toList(), lines);
    }

    String csv() {
        StringBuilder csv = new StringBuilder(CsvLine.of(OthersText.HEADINGS));
        lines.forEach(line -> csv.append(CsvLine.of(line)));
        return csv.toString();
    }
}
