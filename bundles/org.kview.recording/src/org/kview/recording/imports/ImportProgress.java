// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

/** Is told how far an import has come. */
@FunctionalInterface
public interface ImportProgress {
    /** @param what is being done now, "reading the trace, second of two times" */
    void at(String what, long events);
}
