// SPDX-License-Identifier: EPL-2.0

/** A program that was started for a recording: its output, and its end. */
package org.kview.ui.program;
