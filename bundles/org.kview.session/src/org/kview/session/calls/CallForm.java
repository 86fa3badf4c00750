// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;

import org.kview.session.report.TableStyle;

/** How calls are written. All text is made {@link org.kview.model.SafeText}. For one output at a time. */
public abstract sealed class CallForm permits CallTable, CallCsv, CallJson {
    /** Aligned columns for people; their names are those of {@link CallColumn}, with the unit. */
    public static CallForm table(TableStyle style) {
        return new CallTable(style);
    }

    /** RFC 4180, times in ns, with a line of names. */
    public static CallForm csv() {
        return new CallCsv();
    }

    /** A JSON object a line, times in ns. */
    public static CallForm json() {
        return new CallJson();
    }

    /**
     * What stands before the first row, with the end of its line; may be empty.
     *
     * @param hosts   those whose calls are told
     * @param several whether the session is of several, even if that is one
     */
    abstract String header(List<CallHost> hosts, boolean several);

    /** A call, with the end of its line. */
    abstract String row(CallRow row);
}
