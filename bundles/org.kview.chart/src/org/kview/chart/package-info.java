// SPDX-License-Identifier: EPL-2.0

/** Draws distributions and breakdowns on an abstract surface. */
package org.kview.chart;
