// SPDX-License-Identifier: EPL-2.0

/** Latency over time: a heat map of the session's single calls. */
package org.kview.ui.latency;
