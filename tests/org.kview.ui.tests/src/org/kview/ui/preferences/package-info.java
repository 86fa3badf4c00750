// SPDX-License-Identifier: EPL-2.0

/** What is chosen once and for all. */
package org.kview.ui.preferences;
