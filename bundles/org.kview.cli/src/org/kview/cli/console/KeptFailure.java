// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.console;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** Remembers why something could not be written, which a {@link java.io.PrintStream} around it forgets. */
final class KeptFailure extends FilterOutputStream {
    private volatile Optional<String> failure = Optional.empty();

    KeptFailure(OutputStream out) {
        super(out);
    }

    /** Also empty if the reader closed its end: then it wanted no more. */
    Optional<String> failure() {
        return failure;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (failure.isEmpty() && !why.contains("Broken pipe")) {
                failure = Optional.of(why.contains("No space left") ? "the disk is full" : why);
            }
            throw e;
        }
    }
}
