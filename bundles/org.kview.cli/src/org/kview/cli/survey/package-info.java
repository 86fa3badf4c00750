// SPDX-License-Identifier: EPL-2.0

/** The command that tells where a process's time goes. */
package org.kview.cli.survey;
