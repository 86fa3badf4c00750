// SPDX-License-Identifier: EPL-2.0

/** The figures of a session for people and for other programs: JSON, table, CSV, HTML, picture. */
package org.kview.session.report;
