// SPDX-License-Identifier: EPL-2.0

/** The processes of a target. */
package org.kview.ui.processes;
