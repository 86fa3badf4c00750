// SPDX-License-Identifier: EPL-2.0

/** What all views of single calls have in common. */
package org.kview.ui.calls.view;
