// SPDX-License-Identifier: EPL-2.0

/** Files on a disk that may be full, or lose power. */
package org.kview.session.files;
