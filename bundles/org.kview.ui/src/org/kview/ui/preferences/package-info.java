// SPDX-License-Identifier: EPL-2.0

/** The preferences page. */
package org.kview.ui.preferences;
