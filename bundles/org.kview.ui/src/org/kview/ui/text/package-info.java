// SPDX-License-Identifier: EPL-2.0

/** Parts of sentences, and filters of names. */
package org.kview.ui.text;
