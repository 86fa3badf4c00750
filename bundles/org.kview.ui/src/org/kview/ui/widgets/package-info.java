// SPDX-License-Identifier: EPL-2.0

/** What several views and dialogs are made of. */
package org.kview.ui.widgets;
