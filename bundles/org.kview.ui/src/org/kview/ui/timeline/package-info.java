// SPDX-License-Identifier: EPL-2.0

/** Which calls ran when, thread by thread. */
package org.kview.ui.timeline;
