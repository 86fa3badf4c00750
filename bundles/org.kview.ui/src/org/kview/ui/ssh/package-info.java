// SPDX-License-Identifier: EPL-2.0
/** Asks the user on behalf of SSH connections, and remembers secrets where the user wants that. */
package org.kview.ui.ssh;
