// SPDX-License-Identifier: EPL-2.0

/**
 * A store of the calls of one trace: a file of columns that is mapped into memory. It is made from the trace, and can be made
 * again at any time; docs/building.md says why it is not somebody else's format.
 */
package org.kview.calls;
