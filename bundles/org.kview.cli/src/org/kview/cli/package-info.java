// SPDX-License-Identifier: EPL-2.0

/** The commands of the headless product: results on standard output, everything else on standard error. */
package org.kview.cli;
