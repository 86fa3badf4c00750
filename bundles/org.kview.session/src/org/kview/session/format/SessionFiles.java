// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import org.kview.ctf.EventTrace;

/** The names within a session's folder. */
public final class SessionFiles {
    public static final String SESSION_JSON = "session.json";
    public static final String SYMBOLS_JSON = "symbols.json";
    public static final String LATENCY_LOG = "latency.hlog";
    public static final String NOTES_JSON = "notes.json";
    public static final String SURVEY_JSON = "survey.json";
    public static final String RESERVE = ".reserve";
    public static final String LOCK = ".lock";
    public static final String TRACE = "trace";
    public static final String METADATA = EventTrace.METADATA;
    /** Beside the trace: readers of CTF take every file within it for a stream. */
    public static final String PACKET_SUMS = "packets.crc32";
    public static final String STREAM_PREFIX = EventTrace.STREAM_PREFIX;
    public static final String TEMPORARY_SUFFIX = ".tmp";

    private SessionFiles() {
    }

    /** Whether a file name in {@code trace/} is that of a stream. */
    public static boolean isStream(String fileName) {
        return fileName.matches(STREAM_PREFIX + "[0-9]{1,5}");
    }
}
