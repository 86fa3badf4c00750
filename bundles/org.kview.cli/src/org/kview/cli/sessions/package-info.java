// SPDX-License-Identifier: EPL-2.0

/** The commands that read one session. */
package org.kview.cli.sessions;
