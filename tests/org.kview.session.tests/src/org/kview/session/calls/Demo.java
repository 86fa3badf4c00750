// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.kview.session.SampleRecording;

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

    /** Likewise, as if price_basket went on to settle by a jump, in which no probe sees its end. */
    static Path markedIn(Path folder) throws IOException {
        Path session = unpackedIn(folder);
        Path json = session.resolve("session.json");
        String basket = "\"name\" : \"price_basket\",";
        Files.writeString(json, Files.readString(json).replace(basket, basket + " \"goes_on_to\" : [ \"settle\" ],"));
        return session;
    }
}
