// SPDX-License-Identifier: EPL-2.0

/** What the recording that is open cost: the process that was recorded, and others. */
package org.kview.ui.cost;
