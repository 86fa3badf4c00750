// SPDX-License-Identifier: EPL-2.0
package org.kview.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.kview.wire.FrameReader;
import org.kview.wire.FrameWriter;
import org.kview.wire.proto.EventPacket;
import org.kview.wire.proto.FromAgent;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import com.google.protobuf.ByteString;

/** Decodes packets of events as they come from an agent: our frames, against protobuf's own delimited messages. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FrameBenchmark {
    private static final int MESSAGES = 64;

    @Param({"256", "65536"})
    public int packetBytes;

    private byte[] frames;
    private byte[] delimited;

    @Setup
    public void write() throws IOException {
        ByteArrayOutputStream framed = new ByteArrayOutputStream();
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        FrameWriter writer = new FrameWriter(framed);
        byte[] packet = new byte[packetBytes];
        new Random(1).nextBytes(packet);
        FromAgent message = FromAgent.newBuilder()
                .setEventPacket(EventPacket.newBuilder().setCpu(1).setPacket(ByteString.copyFrom(packet))).build();
        for (int i = 0; i < MESSAGES; i++) {
            writer.write(message);
            message.writeDelimitedTo(plain);
        }
        frames = framed.toByteArray();
        delimited = plain.toByteArray();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int frames() throws IOException {
        FrameReader<FromAgent> reader = new FrameReader<>(new ByteArrayInputStream(frames), FromAgent.parser());
        int read = 0;
        while (reader.read().isPresent()) {
            read++;
        }
        return read;
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int delimitedMessages() throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(delimited);
        int read = 0;
        while (FromAgent.parseDelimitedFrom(in) != null) {
            read++;
        }
        return read;
    }
}
