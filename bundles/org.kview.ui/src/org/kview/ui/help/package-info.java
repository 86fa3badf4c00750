// SPDX-License-Identifier: EPL-2.0

/** What the documentation says of the active view. */
package org.kview.ui.help;
