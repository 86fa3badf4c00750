// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.calls.CallTables;
import org.kview.session.files.FileTree;
import org.kview.session.parquet.ParquetFolder;
import org.kview.session.read.SessionReader;
import org.kview.session.report.MarkedFunctions;
import org.kview.session.report.SessionText;

/**
 * A session as tables of Apache Parquet, in folders by host and function. Columns have the units of their numbers in their names.
 */
public final class ParquetExport {
    private ParquetExport() {
    }

    /**
     * Writes them.
     *
     * @param destination a folder that is new or empty; if this fails, it is removed
     * @param progress    hears now and then how many calls were read
     * @return sentences for what is missing or odd, most serious first; the files say the same
     * @throws SessionException if the trace can't be read any further, or the folder holds something or can't be written
     */
    public static List<String> write(SessionReader session, Path destination, LongConsumer progress) throws SessionException {
        try {
            FileTree.createEmpty(destination);
        } catch (IOException e) {
            throw SessionException.of("The session can't be exported to " + destination, e);
        }
        boolean done = false;
        try {
            List<String> findings = write(session, new ParquetFolder(destination), progress);
            done = true;
            return findings;
        } catch (IOException e) {
            throw SessionException.of("The session can't be exported to " + destination, e);
        } finally {
            if (!done) {
                FileTree.delete(destination);
            }
        }
    }

    private static List<String> write(SessionReader session, ParquetFolder tables, LongConsumer progress) throws IOException {
        SessionText text = new SessionText(session.snapshot());
        List<String> findings = new ArrayList<>(text.warnings());
        findings.addAll(new CallTables(tables, progress).write(session));
        new HistogramTable(tables).write(session).ifPresent(findings::add);
        new ValueTable(tables).write(session.snapshot());
        new QuantityTable(tables).write(session.snapshot());
        findings.addAll(MarkedFunctions.sentences(session.snapshot()));
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("kview.session", SafeText.line(text.title()));
        metadata.put("kview.recorded", SafeText.line(text.recorded()));
        metadata.put("kview.notes", String.join("\n", findings.stream().map(SafeText::line).toList()));
        tables.finish(metadata);
        return findings;
    }
}
