// SPDX-License-Identifier: EPL-2.0

/** Opens sessions, which may be damaged, hostile or from another version, and changes nothing in them but notes. */
package org.kview.session.read;
