// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.List;
import java.util.stream.Collectors;

/** Lines of the function table as tab-separated values, for spreadsheets and mails. */
final class FunctionText {
    private FunctionText() {
    }

    static String tsv(List<FunctionColumn> columns, List<FunctionRow> rows) {
        String head = columns.stream().map(FunctionColumn::copiedTitle).collect(Collectors.joining("\t"));
        return rows.stream()
                .map(row -> columns.stream().map(column -> cell(column.copied(row))).collect(Collectors.joining("\t")))
                .collect(Collectors.joining("\n", head + "\n", "\n"));
    }

    /** A name may hold anything; a tab or line break in it must not make a new cell. */
    private static String cell(String text) {
        return text.replaceAll("[\\t\\r\\n]", " ");
    }
}
