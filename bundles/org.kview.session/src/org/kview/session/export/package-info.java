// SPDX-License-Identifier: EPL-2.0

/** A session as tables that DuckDB, Spark and others read: its single calls, its threads' switches and its histograms. */
package org.kview.session.export;
