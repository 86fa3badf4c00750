// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import static org.assertj.core.api.Assertions.assertThat;

import org.eclipse.swt.graphics.RGB;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaletteTest {
    /** Grounds and texts of both themes: views, tables, dialogs. */
    @ParameterizedTest
    @CsvSource({"255, 0", "247, 0", "242, 46", "47, 170", "50, 204", "72, 238"})
    void whatIsFaintAndWhatWarnsIsLegible(int ground, int text) {
        Palette palette = Palette.of(new RGB(ground, ground, ground), new RGB(text, text, text));
        assertThat(palette.contrast(palette.faint().getRGB())).isGreaterThanOrEqualTo(4.5);
        assertThat(palette.contrast(palette.warning().getRGB())).isGreaterThanOrEqualTo(4.5);
        assertThat(palette.faint().getRGB()).isNotEqualTo(palette.foreground());
    }
}
