// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/**
 * How a text is drawn, in the surface's sans-serif font.
 *
 * @param ink    its colour
 * @param size   the font's, in pixels
 * @param bold   or regular
 * @param anchor which point of the text is placed
 */
public record TextStyle(Ink ink, double size, boolean bold, Anchor anchor) {
    /** The point of a text that its x names. */
    public enum Anchor {
        START, MIDDLE, END
    }

    public static final TextStyle NORMAL = new TextStyle(Ink.Tone.TEXT, 12, false, Anchor.START);
    public static final TextStyle SMALL = new TextStyle(Ink.Tone.MUTED, 11, false, Anchor.START);
    public static final TextStyle BOLD = new TextStyle(Ink.Tone.TEXT, 12, true, Anchor.START);

    public TextStyle with(Anchor other) {
        return new TextStyle(ink, size, bold, other);
    }

    public TextStyle with(Ink other) {
        return new TextStyle(other, size, bold, anchor);
    }

    public TextStyle withSize(double other) {
        return new TextStyle(ink, other, bold, anchor);
    }

    /** Where a text of the given width begins that is placed at {@code x}. */
    public double left(double x, double textWidth) {
        return switch (anchor) {
            case START -> x;
            case MIDDLE -> x - textWidth / 2;
            case END -> x - textWidth;
        };
    }
}
