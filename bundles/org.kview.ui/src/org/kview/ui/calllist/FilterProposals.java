// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.eclipse.jface.fieldassist.ContentProposal;
import org.eclipse.jface.fieldassist.IContentProposal;
import org.eclipse.jface.fieldassist.IContentProposalProvider;
import org.kview.model.Metric;
import org.kview.session.calls.CallColumn;

/** What can stand behind what was typed into the filter: columns, causes, and the names of functions and threads. */
final class FilterProposals implements IContentProposalProvider {
    private static final int MOST = 40;

    private final Supplier<List<String>> functions;
    private final Supplier<List<String>> threads;

    FilterProposals(Supplier<List<String>> functions, Supplier<List<String>> threads) {
        this.functions = functions;
        this.threads = threads;
    }

    @Override
    public IContentProposal[] getProposals(String contents, int position) {
        int begin = wordBegin(contents, position);
        String word = contents.substring(begin, position).toLowerCase(Locale.ROOT);
        String before = contents.substring(0, begin).stripTrailing();
        String prefix = word.startsWith("\"") ? word.substring(1) : word;
        List<String> texts = new ArrayList<>();
        if (before.endsWith("cause ==") || before.endsWith("cause !=")) {
            Stream.concat(Stream.of(Metric.ON_CPU), Metric.CAUSES.stream()).map(Metric::id).forEach(texts::add);
        } else if (before.matches(".*\\b(function|parent)\\s*(==|!=)")) {
            functions.get().forEach(name -> texts.add(quoted(name)));
        } else if (before.matches(".*\\b(thread|waker)\\s*(==|!=)")) {
            threads.get().forEach(name -> texts.add(quoted(name)));
        } else {
            functions.get().forEach(name -> texts.add("function == " + quoted(name)));
            threads.get().forEach(name -> texts.add("thread == " + quoted(name)));
            CallColumn.columns().forEach(column -> texts.add(column.name()));
        }
        return texts.stream().filter(text -> matches(text, prefix)).limit(MOST)
                .map(text -> (IContentProposal) new ContentProposal(contents.substring(0, begin) + text
                        + contents.substring(position), text, null, begin + text.length()))
                .toArray(IContentProposal[]::new);
    }

    /** Where the word begins that stands before the cursor. */
    private static int wordBegin(String contents, int position) {
        int begin = position;
        while (begin > 0 && " &|!()<>=~".indexOf(contents.charAt(begin - 1)) < 0) {
            begin--;
        }
        return begin;
    }

    /** By its beginning, or by that of the name in it. */
    private static boolean matches(String text, String prefix) {
        String low = text.toLowerCase(Locale.ROOT);
        return low.startsWith(prefix) || low.contains("\"" + prefix);
    }

    private static String quoted(String name) {
        return name.indexOf('"') < 0 ? '"' + name + '"' : "'" + name + "'";
    }
}
