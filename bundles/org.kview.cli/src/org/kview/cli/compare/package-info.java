// SPDX-License-Identifier: EPL-2.0

/** The commands that compare sessions, and the one that records two programs in turns for it. */
package org.kview.cli.compare;
