// SPDX-License-Identifier: EPL-2.0

/** What to record, but not whom: kept under a name, and applied to other processes and hosts. */
package org.kview.recording.template;
