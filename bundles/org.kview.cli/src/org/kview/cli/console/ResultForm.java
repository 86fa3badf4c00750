// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.nio.file.Path;
import java.util.function.Supplier;

import org.kview.session.SessionException;
import org.kview.session.report.ReportFile;

import picocli.CommandLine.Option;

/** In which form a result is wanted; a table on the terminal unless one is named. */
public class ResultForm {
    @Option(names = "--json", description = "Prints JSON, times in ns.")
    private boolean json;
    @Option(names = "--html", paramLabel = "FILE", description = "Writes one page that needs no other file.")
    private Path html;

    /** Returns the result in the wanted form. The other forms are not made. */
    public final void give(Console console, Supplier<String> asJson, Supplier<String> asHtml, Supplier<String> asTable)
            throws SessionException {
        if (json) {
            console.json(asJson.get());
        } else if (html != null) {
            ReportFile.write(html, asHtml.get());
        } else {
            console.result(asTable.get());
        }
    }
}
