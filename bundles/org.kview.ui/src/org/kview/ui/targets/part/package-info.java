// SPDX-License-Identifier: EPL-2.0
/** What views of one target have in common: they follow which one is chosen, and ask it again and again while one looks. */
package org.kview.ui.targets.part;
