// SPDX-License-Identifier: EPL-2.0

/** The figures of each function of the session that is open, as a table. */
package org.kview.ui.functions;
