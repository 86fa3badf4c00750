// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

class FailedCallsTest {
    private static FailedCalls of(Map<Integer, Long> byError) {
        return new FailedCalls(new TreeMap<>(byError));
    }

    @Test
    void theMostFrequentErrorComesFirst() {
        assertThat(of(Map.of(2, 7L, 4, 1200L, 0, 1L)).text()).isEqualTo("EINTR 1,200, ENOENT 7, unknown 1");
        assertThat(FailedCalls.NONE.text()).isEmpty();
    }

    @Test
    void hostsAreAddedByErrors() {
        FailedCalls both = of(Map.of(2, 7L, 4, 1L)).plus(of(Map.of(2, 3L, 9, 5L)));
        assertThat(both.byError()).isEqualTo(Map.of(2, 10L, 4, 1L, 9, 5L));
        assertThat(both.total()).isEqualTo(16);
        assertThat(of(Map.of(2, 1L << 60)).plus(of(Map.of(2, 1L << 60))).total()).as("two of the most that may be").isEqualTo(1L << 60);
    }

    @Test
    void whatIsNoCountIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> of(Map.of(-1, 1L)));
        assertThatIllegalArgumentException().isThrownBy(() -> of(Map.of(4096, 1L)));
        assertThatIllegalArgumentException().isThrownBy(() -> of(Map.of(2, 0L)));
        assertThatIllegalArgumentException().isThrownBy(() -> of(Map.of(2, (1L << 60) + 1)));
    }

    @Test
    void numbersHaveTheNamesOfTheKernelsHeaders() {
        assertThat(ErrorNumber.name(1)).isEqualTo("EPERM");
        assertThat(ErrorNumber.name(11)).isEqualTo("EAGAIN");
        assertThat(ErrorNumber.name(41)).as("one that there is not").isEqualTo("error 41");
        assertThat(ErrorNumber.name(42)).isEqualTo("ENOMSG");
        assertThat(ErrorNumber.name(110)).isEqualTo("ETIMEDOUT");
        assertThat(ErrorNumber.name(133)).isEqualTo("EHWPOISON");
        assertThat(ErrorNumber.name(134)).isEqualTo("error 134");
        assertThat(ErrorNumber.name(514)).isEqualTo("ERESTARTNOHAND");
    }
}
