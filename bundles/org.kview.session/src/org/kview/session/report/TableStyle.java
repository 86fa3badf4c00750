// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

/**
 * What a terminal can show.
 *
 * @param width   its columns; the table fits from {@value #LEAST_WIDTH}
 * @param colour  whether it knows ANSI colours; then bars are drawn
 * @param unicode whether what stands beyond ASCII can be printed
 */
public record TableStyle(int width, boolean colour, boolean unicode) {
    public static final int LEAST_WIDTH = 80;

    /** For files and pipes. */
    public static final TableStyle PLAIN = new TableStyle(120, false, true);

    public TableStyle {
        width = Math.max(LEAST_WIDTH, width);
    }
}
