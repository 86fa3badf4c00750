// SPDX-License-Identifier: EPL-2.0

/** The wizards that ask what to record. */
package org.kview.ui.record;
