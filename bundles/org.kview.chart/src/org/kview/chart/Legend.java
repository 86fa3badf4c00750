// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

/** Names colours: a small square and a text each, in rows as wide as there is room. */
public final class Legend {
    public static final double ROW_HEIGHT = 18;

    private static final double SQUARE = 10;
    private static final double SQUARE_GAP = 6;
    private static final double ENTRY_GAP = 18;

    private final List<Entry> entries;

    /**
     * What a colour stands for.
     *
     * @param ink   the colour
     * @param label its meaning
     */
    public record Entry(Ink ink, String label) {
    }

    private record Placed(Entry entry, double x, int row) {
    }

    public Legend(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    /** The height that the rows take at a width. */
    public double height(Surface surface, double width) {
        return place(surface, width).stream().mapToInt(Placed::row).max().orElse(-1) * ROW_HEIGHT + ROW_HEIGHT;
    }

    /** Draws from the area's upper edge; what has no room below is cut off. */
    public void draw(Surface surface, Area area) {
        for (Placed placed : place(surface, area.width())) {
            double x = area.x() + placed.x();
            double y = area.y() + placed.row() * ROW_HEIGHT;
            Area square = new Area(x, y + (ROW_HEIGHT - SQUARE) / 2, SQUARE, SQUARE);
            surface.fillRectangle(square, placed.entry().ink());
            surface.drawRectangle(square, Stroke.solid(Ink.Tone.AXIS, 1));
            surface.drawText(placed.entry().label(), x + SQUARE + SQUARE_GAP, y + ROW_HEIGHT / 2 + 4,
                    TextStyle.SMALL);
        }
    }

    private List<Placed> place(Surface surface, double width) {
        List<Placed> placed = new ArrayList<>();
        double x = 0;
        int row = 0;
        for (Entry entry : entries) {
            double entryWidth = SQUARE + SQUARE_GAP + surface.textWidth(entry.label(), TextStyle.SMALL);
            if (x > 0 && x + entryWidth > width) {
                x = 0;
                row++;
            }
            placed.add(new Placed(entry, x, row));
            x += entryWidth + ENTRY_GAP;
        }
        return placed;
    }
}
