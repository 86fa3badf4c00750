// SPDX-License-Identifier: EPL-2.0

/** The commands of the headless product. */
package org.kview.cli;
