// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.functions;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.SafeText;
import org.kview.session.report.CsvLine;
import org.kview.targets.values.FunctionInfo;

/** A line a function for spreadsheets and scripts, with the fields of the JSON. What is not known is an empty field. */
final class FunctionsCsv {
    private static final List<String> COLUMNS = List.of("probe", "name", "symbol", "binary", "size_bytes", "language",
            "probeable", "reason", "entry", "exit_kind", "exit", "exit_sites", "predicted_cost_ns", "aliases", "goes_on_to",
            "inlined_places");
    /** Names of functions have commas and blanks, but hardly this. */
    private static final String BETWEEN = "; ";

    private FunctionsCsv() {
    }

    static String of(List<FunctionInfo> functions, BinaryNames names) {
        StringBuilder text = new StringBuilder(CsvLine.of(COLUMNS));
        functions.forEach(function -> text.append(CsvLine.of(fields(function, names).stream().map(SafeText::line).toList())));
        return text.toString();
    }

    private static List<String> fields(FunctionInfo function, BinaryNames names) {
        List<String> fields = new ArrayList<>(List.of(names.probe(function), function.name(), function.point().symbol(),
                function.point().binary(), FunctionsReport.known(function.point().sizeBytes()),
                FunctionsReport.id(function.language()), Boolean.toString(function.probeable()), function.reason()));
        fields.addAll(function.probeable() ? List.of(FunctionsReport.id(function.price().entry()),
                FunctionsReport.id(function.ends().kind()), FunctionsReport.id(function.price().exit()),
                Integer.toString(function.ends().sites())) : List.of("", "", "", ""));
        fields.add(FunctionsReport.known(function.price().nanos()));
        fields.add(String.join(BETWEEN, function.aliases()));
        fields.add(String.join(BETWEEN, function.ends().goesOnTo()));
        fields.add(FunctionsReport.known(function.inlinedPlaces()));
        return fields;
    }
}
