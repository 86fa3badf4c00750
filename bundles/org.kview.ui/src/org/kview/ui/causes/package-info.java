// SPDX-License-Identifier: EPL-2.0

/** The table of causes: where the time of the selected function went. */
package org.kview.ui.causes;
