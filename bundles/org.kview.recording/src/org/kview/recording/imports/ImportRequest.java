// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What to import.
 *
 * @param trace   a folder with a trace, or with folders of traces, as LTTng writes them
 * @param session the new session's folder
 * @param pair    the events that begin and end a call; empty: those of Kview or of LTTng's cyg_profile, whichever there are
 */
public record ImportRequest(Path trace, Path session, Optional<EventPair> pair) {
}
