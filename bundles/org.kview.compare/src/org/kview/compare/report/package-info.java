// SPDX-License-Identifier: EPL-2.0

/** A comparison for people and for other programs: JSON, table, HTML. */
package org.kview.compare.report;
