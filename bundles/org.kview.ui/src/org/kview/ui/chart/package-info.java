// SPDX-License-Identifier: EPL-2.0

/** Charts of org.kview.chart, drawn in windows. */
package org.kview.ui.chart;
