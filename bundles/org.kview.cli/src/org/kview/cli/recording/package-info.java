// SPDX-License-Identifier: EPL-2.0

/** The commands that record, and what is told while a recording runs and when it has ended. */
package org.kview.cli.recording;
