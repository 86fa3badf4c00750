// SPDX-License-Identifier: EPL-2.0

/** The single calls of the session as a table of any length. */
package org.kview.ui.calllist;
