// SPDX-License-Identifier: EPL-2.0

/** Colours in light and dark themes. */
package org.kview.ui.theme;
