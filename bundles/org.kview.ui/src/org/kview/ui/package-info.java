// SPDX-License-Identifier: EPL-2.0

/** The Latency perspective, its views and wizards. */
package org.kview.ui;
