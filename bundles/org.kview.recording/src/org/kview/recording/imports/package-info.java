// SPDX-License-Identifier: EPL-2.0

/** Sessions of traces that others recorded, or that were exported: read by libbabeltrace2, which may be missing. */
package org.kview.recording.imports;
