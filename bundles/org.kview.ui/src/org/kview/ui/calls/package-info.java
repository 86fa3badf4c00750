// SPDX-License-Identifier: EPL-2.0

/** The single calls of the open session: their store, made in the background. */
package org.kview.ui.calls;
