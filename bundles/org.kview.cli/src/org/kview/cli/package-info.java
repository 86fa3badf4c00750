// SPDX-License-Identifier: EPL-2.0

/** The headless product: one command line, which hands on to commands. Results go to standard output, all else to standard error. */
package org.kview.cli;
