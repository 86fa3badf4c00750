// SPDX-License-Identifier: EPL-2.0

/** Ties a target to a session: finds the functions asked for, records, and writes what is measured. */
package org.kview.recording;
