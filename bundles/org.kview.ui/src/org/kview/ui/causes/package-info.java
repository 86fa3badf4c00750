// SPDX-License-Identifier: EPL-2.0

/** Where the time of the selected function went: the table of causes, and for what its calls waited. */
package org.kview.ui.causes;
