// SPDX-License-Identifier: EPL-2.0

/** Tables in files of Apache Parquet. Knows no sessions. */
package org.kview.session.parquet;
