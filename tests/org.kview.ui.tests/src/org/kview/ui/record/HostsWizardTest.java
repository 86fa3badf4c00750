// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.Filter;
import org.kview.model.ProbeSpec;
import org.kview.recording.template.RecordingTemplate;
import org.kview.ui.Ui;

class HostsWizardTest {
    private static final RecordingTemplate TEMPLATE = new RecordingTemplate("slow", List.of(
            new RecordingTemplate.Probe("", "place_order", "place_order"),
            new RecordingTemplate.Probe("libz.so.1", "deflate", "deflate")), false, Filter.IN,
            Optional.of(Duration.ofSeconds(7)));

    private final HostsPose pose = HostsPose.open(List.of(), List.of(TEMPLATE));
    private final HostsPage page = pose.wizard().hostsPage();

    @AfterEach
    void close() {
        pose.cancel();
    }

    @Test
    void needsAProcessAndFunctionsAndSaysWhichLineIsNone() {
        assertThat(Ui.get(page::isPageComplete)).isFalse();
        pose.choose("shop", "shop:pay\n\n shop:Basket::total \nshop:pay");
        assertThat(Ui.get(page::isPageComplete)).isTrue();
        assertThat(Ui.get(page::probes)).containsExactly(new ProbeSpec("shop", "pay"),
                new ProbeSpec("shop", "Basket::total"));
        pose.choose("shop", "shop:pay\ntotal");
        assertThat(Ui.get(page::isPageComplete)).isFalse();
        assertThat(Ui.get(page::getErrorMessage)).contains("“total”");
        pose.choose(" ", "shop:pay");
        assertThat(Ui.get(page::isPageComplete)).isFalse();
    }

    @Test
    void aTemplateSetsFunctionsAndOptions() {
        pose.choose("shop", "");
        Ui.run(() -> page.choose(0));
        assertThat(Ui.get(page::probes)).containsExactly(new ProbeSpec("shop", "place_order"),
                new ProbeSpec("libz", "deflate"));
        OptionsPage options = pose.wizard().optionsPage();
        assertThat(Ui.get(options::events)).isFalse();
        assertThat(Ui.get(options::filter)).isEqualTo(Filter.IN);
        assertThat(Ui.get(options::duration)).contains(Duration.ofSeconds(7));
    }
}
