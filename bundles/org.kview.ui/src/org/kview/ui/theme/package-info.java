// SPDX-License-Identifier: EPL-2.0

/** Light or dark. */
package org.kview.ui.theme;
