// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.Filter;

/** What a host says about a recording's start is stored, so it must be something that a session can hold. */
class RecordingStartTest {
    @Test
    void isATimeThatASessionCanHaveBegunAt() {
        assertThat(start(5, -5).start()).isEqualTo(Instant.EPOCH);
        assertThatIllegalArgumentException().isThrownBy(() -> start(5, -6)).withMessageContaining("1970");
        assertThatIllegalArgumentException().isThrownBy(() -> start(-1, 5));
        assertThatThrownBy(() -> start(Long.MAX_VALUE, 1)).isInstanceOf(ArithmeticException.class);
    }

    private static RecordingStart start(long nanos, long realtimeOffset) {
        return new RecordingStart(nanos, realtimeOffset, Filter.IN, "", 0, List.of(), "", "", "", Optional.empty(), List.of());
    }
}
