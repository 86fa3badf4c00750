// SPDX-License-Identifier: EPL-2.0

/** What the workbench logs while it is tested. */
package org.kview.ui.log;
