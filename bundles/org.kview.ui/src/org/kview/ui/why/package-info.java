// SPDX-License-Identifier: EPL-2.0

/** What is different about the calls that are selected. */
package org.kview.ui.why;
