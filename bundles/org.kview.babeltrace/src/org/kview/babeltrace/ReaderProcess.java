// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A process of its own in which libbabeltrace2 reads: a trace that makes it end itself, or take memory without measure, ends that
 * process and no other.
 */
public final class ReaderProcess {
    /** Why it ended, where it did not say so itself. */
    public static final String ENDED_SILENTLY = "the trace is damaged, or needs more than 1 GiB of memory to be read";

    private static final int MOST_MEMORY_KIB = 1 << 20;
    /**
     * What is counted is memory that can be written to: the files of a trace are mapped too, and there may be thousands. Where memory
     * is short all the same, the kernel ends this process before others.
     */
    private static final String LIMITED = "{ echo 1000 >/proc/self/oom_score_adj; ulimit -d " + MOST_MEMORY_KIB
            + "; } 2>/dev/null; exec \"$@\"";

    private ReaderProcess() {
    }

    /**
     * Starts one; what it writes to its output is thrown away. It needs a JVM's command beside this one's {@code java.home}.
     *
     * @param main    what it runs
     * @param beside  a class of each other jar or folder of classes that it needs
     * @param options of the JVM
     */
    public static Process start(Class<?> main, List<Class<?>> beside, List<String> options, Collection<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", LIMITED, "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED", "-Xmx256m",
                "-Xshare:auto", "-XX:+UseSerialGC", "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash"));
        command.addAll(options);
        String library = System.getProperty(Babeltrace.LIBRARY_PROPERTY);
        if (library != null) {
            command.add("-D" + Babeltrace.LIBRARY_PROPERTY + "=" + library);
        }
        List<String> places = new ArrayList<>();
        for (Class<?> type : Stream.concat(Stream.of(main), beside.stream()).toList()) {
            places.add(place(type));
        }
        command.addAll(List.of("-cp", places.stream().distinct().collect(Collectors.joining(":")), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    }

    /** The jar, or in a build the folder of classes. */
    private static String place(Class<?> type) throws IOException {
        try {
            Path place = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path built = place.resolve("target/classes");
            return (Files.isDirectory(built) ? built : place).toString();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }
}
