// SPDX-License-Identifier: EPL-2.0

/** Whether figures differ by more than chance: resampling, tests of groups, and tests of many figures at once. */
package org.kview.statistics;
