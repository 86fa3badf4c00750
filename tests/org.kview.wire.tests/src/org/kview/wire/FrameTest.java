// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.wire.proto.EventPacket;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;

import com.google.protobuf.ByteString;

class FrameTest {

    @Test
    void messagesArriveAsTheyWereSentAndInTheirOrder() throws IOException {
        FromAgent hello = FromAgent.newBuilder().setRequestId(7)
                .setHello(HelloReply.newBuilder().setHostname("höst").setRealtimeOffsetNs(-1)).build();
        FromAgent packet = packet(3_000_000);
        FrameReader<FromAgent> reader = reader(frames(hello, packet, hello));

        assertThat(reader.read()).contains(hello);
        assertThat(reader.read()).contains(packet);
        assertThat(reader.read()).contains(hello);
        assertThat(reader.read()).isEmpty();
        assertThat(reader.read()).isEmpty();
    }

    @Test
    void aMessageMayArriveByteByByte() throws IOException {
        FromAgent packet = packet(200_000);
        InputStream slow = new ByteArrayInputStream(frames(packet)) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, 1));
            }
        };
        assertThat(new FrameReader<>(slow, FromAgent.parser()).read()).contains(packet);
    }

    @Test
    void theLengthIsLittleEndianAndCountsTheMessageAlone() throws IOException {
        byte[] bytes = frames(packet(1000));
        assertThat(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt()).isEqualTo(bytes.length - 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, (16 << 20) + 1})
    void otherLengthsAreRefusedBeforeAnythingIsRead(int length) {
        byte[] header = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(length).array();
        assertThatThrownBy(() -> reader(header).read()).isInstanceOf(FrameException.class)
                .hasMessageContaining(Integer.toUnsignedString(length)).hasMessageContaining("16777216");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void anEndWithinTheLengthIsToldFromTheEnd(int bytes) throws IOException {
        byte[] start = Arrays.copyOf(frames(packet(10)), bytes);
        assertThatThrownBy(() -> reader(start).read()).isInstanceOf(FrameException.class)
                .hasMessageContaining("within a message's length");
    }

    @Test
    void anEndWithinAMessageSaysHowMuchIsMissing() throws IOException {
        byte[] whole = frames(packet(1000));
        assertThatThrownBy(() -> reader(Arrays.copyOf(whole, 104)).read()).isInstanceOf(FrameException.class)
                .hasMessageContaining("after 100 of a message's " + (whole.length - 4));
    }

    @Test
    void aLengthAloneAllocatesNextToNothing() throws IOException {
        byte[] header = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(Frames.MAX_LENGTH).array();
        int[] asked = new int[1];
        InputStream endless = new InputStream() {
            private int at;

            @Override
            public int read() {
                return at < header.length ? header[at++] & 0xff : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                asked[0] = Math.max(asked[0], target.length);
                return super.read(target, offset, length);
            }
        };
        assertThatThrownBy(() -> new FrameReader<>(endless, FromAgent.parser()).read())
                .isInstanceOf(FrameException.class);
        assertThat(asked[0]).as("bytes allocated on the word of a length").isBetween(1, 64 << 10);
    }

    @Test
    void aMessageThatCantBeSentLeavesTheStreamAsItWas() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FrameWriter writer = new FrameWriter(out);
        assertThatThrownBy(() -> writer.write(packet(Frames.MAX_LENGTH))).isInstanceOf(FrameException.class);
        assertThatThrownBy(() -> writer.write(FromAgent.getDefaultInstance())).isInstanceOf(FrameException.class);
        assertThat(out.size()).isZero();
    }

    @Test
    void theLongestMessagePasses() throws IOException {
        FromAgent almost = packet(Frames.MAX_LENGTH - 100);
        int room = Frames.MAX_LENGTH - almost.getSerializedSize();
        FromAgent longest = packet(Frames.MAX_LENGTH - 100 + room);
        assertThat(longest.getSerializedSize()).isEqualTo(Frames.MAX_LENGTH);
        assertThat(reader(frames(longest)).read()).isEqualTo(Optional.of(longest));
    }

    static FromAgent packet(int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i * 31);
        }
        return FromAgent.newBuilder()
                .setEventPacket(EventPacket.newBuilder().setCpu(1).setPacket(ByteString.copyFrom(content))).build();
    }

    static byte[] frames(FromAgent... messages) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FrameWriter writer = new FrameWriter(out);
        for (FromAgent message : messages) {
            writer.write(message);
        }
        return out.toByteArray();
    }

    static FrameReader<FromAgent> reader(byte[] bytes) {
        return new FrameReader<>(new ByteArrayInputStream(bytes), FromAgent.parser());
    }
}
