// SPDX-License-Identifier: EPL-2.0

/** A target and its agent: this machine or one reached over SSH. */
package org.kview.target;
