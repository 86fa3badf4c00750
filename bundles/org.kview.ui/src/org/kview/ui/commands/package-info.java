// SPDX-License-Identifier: EPL-2.0

/** Commands of the menu and the toolbar, and when they can be used. */
package org.kview.ui.commands;
