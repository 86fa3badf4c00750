// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.kview.wire.proto.Acknowledge;
import org.kview.wire.proto.FromAgent;

/** Messages that arrive once, twice, or not at all, and what is acknowledged to the agent. */
class ReceiptsTest {
    private static final long EAGER_BYTES = Receipts.WINDOW_BYTES / 64;

    private final Receipts receipts = new Receipts();

    private boolean arrives(long sequence) {
        return receipts.arrived(FromAgent.newBuilder().setSequence(sequence).build());
    }

    @Test
    void whatIsSentAgainAfterARejoinIsNotNew() {
        assertThat(arrives(1)).isTrue();
        assertThat(arrives(2)).isTrue();
        assertThat(arrives(1)).isFalse();
        assertThat(arrives(2)).isFalse();
        assertThat(arrives(3)).isTrue();
        assertThat(receipts.sequence()).isEqualTo(3);
    }

    /** A lost message must not go unnoticed. */
    @Test
    void aGapIsAMistake() {
        arrives(1);
        assertThatThrownBy(() -> arrives(3)).isInstanceOf(IllegalStateException.class).hasMessage("message 3 after message 1");
        assertThat(receipts.sequence()).as("what is asked for again").isEqualTo(1);
        assertThatThrownBy(() -> new Receipts().arrived(FromAgent.newBuilder().setSequence(2).build()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void noticesHaveNoNumber() {
        assertThat(arrives(0)).isTrue();
        assertThat(arrives(0)).isTrue();
        assertThat(arrives(1)).isTrue();
        assertThat(receipts.sequence()).isEqualTo(1);
    }

    @Test
    void onlyNewsIsToldAndItIsASum() {
        assertThat(receipts.isDue()).isFalse();
        arrives(1);
        receipts.consumedPacket(100);
        receipts.consumedOutput(7);
        assertThat(receipts.isDue()).isTrue();
        assertThat(receipts.take()).isEqualTo(Acknowledge.newBuilder().setSequence(1).setConsumedPacketBytes(100)
                .setConsumedOutputBytes(7).build());
        assertThat(receipts.isDue()).isFalse();
        receipts.consumedPacket(50);
        assertThat(receipts.take()).isEqualTo(Acknowledge.newBuilder().setSequence(1).setConsumedPacketBytes(150)
                .setConsumedOutputBytes(7).build());
        arrives(1);
        assertThat(receipts.isDue()).as("what came twice is no news").isFalse();
    }

    /** The agent's window must not be used up while acknowledgements wait for the next tick. */
    @Test
    void muchIsToldSoon() {
        assertThat(receipts.consumedPacket(EAGER_BYTES - 1)).isFalse();
        assertThat(receipts.consumedPacket(1)).isTrue();
        assertThat(receipts.consumedPacket(1)).as("until it is told").isTrue();
        receipts.take();
        assertThat(receipts.consumedPacket(1)).isFalse();
        assertThat(receipts.consumedOutput(EAGER_BYTES - 1)).as("each counts for itself").isFalse();
        assertThat(receipts.consumedOutput(1)).isTrue();
        receipts.take();
        assertThat(receipts.consumedOutput(1)).isFalse();
    }
}
