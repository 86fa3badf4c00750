// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.recording;

import java.nio.file.Path;

import org.kview.model.ProbeSpec;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A BIN:FUNC, syscall:NAME and so on; a path in it is made absolute, since the agent may run elsewhere. */
public final class ProbeConverter implements ITypeConverter<ProbeSpec> {
    @Override
    public ProbeSpec convert(String text) {
        ProbeSpec spec = ProbeSpec.parse(text).orElseThrow(() -> new TypeConversionException(
                "'" + text + "' is not of the form BIN:FUNC, as in libc.so.6:malloc, syscall:NAME, kernel:FUNC, tracepoint:SYSTEM:NAME,"
                        + " or usdt:BIN:PROVIDER:NAME or usdt:BIN:PROVIDER:BEGIN..END"));
        return spec.binary().contains("/")
                ? new ProbeSpec(spec.kind(), Path.of(spec.binary()).toAbsolutePath().normalize().toString(), spec.pattern()) : spec;
    }
}
