// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.kview.session.SampleRecording;
import org.kview.session.write.HostsFolder;

/** A recording of the demo workload, made by the agent with events. */
final class Demo {
    private Demo() {
    }

    /** A copy of it, as a zip. */
    static Path in(Path folder) throws IOException {
        Path zip = folder.resolve("demo.kview.zip");
        try (InputStream in = SampleRecording.class.getResourceAsStream("report/data/demo.kview.zip")) {
            Files.copy(in, zip);
        }
        return zip;
    }

    /** A copy of it as a folder, so that it can be changed. */
    static Path unpackedIn(Path folder) throws IOException {
        Path session = folder.resolve("demo.kview");
        try (ZipInputStream zip = new ZipInputStream(SampleRecording.class.getResourceAsStream("report/data/demo.kview.zip"))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    String name = entry.getName();
                    Path file = session.resolve(name.contains("trace/") ? name.substring(name.indexOf("trace/"))
                            : name.substring(name.lastIndexOf('/') + 1));
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        return session;
    }

    /** Likewise, as if it were of two hosts: a copy for web-1 and one for web-2. */
    static Path twoHostsIn(Path folder) throws Exception {
        Path session = Files.createDirectory(folder.resolve("two.kview"));
        for (Path part : HostsFolder.create(session, List.of("web-1", "web-2")).values()) {
            Path demo = unpackedIn(folder);
            Files.deleteIfExists(part);
            Files.move(demo, part);
        }
        return session;
    }

    /** As a folder, as if price_basket went on to settle by a jump, in which no probe sees its end. */
    static Path markedIn(Path folder) throws IOException {
        Path session = unpackedIn(folder);
        Path json = session.resolve("session.json");
        String basket = "\"name\" : \"price_basket\",";
        Files.writeString(json, Files.readString(json).replace(basket, basket + " \"goes_on_to\" : [ \"settle\" ],"));
        return session;
    }
}
