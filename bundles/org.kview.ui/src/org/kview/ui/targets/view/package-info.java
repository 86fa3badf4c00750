// SPDX-License-Identifier: EPL-2.0

/** The view of targets. */
package org.kview.ui.targets.view;
