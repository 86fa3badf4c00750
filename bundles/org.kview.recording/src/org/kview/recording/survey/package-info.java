// SPDX-License-Identifier: EPL-2.0
/** What a survey of a process says: which functions its time is in, and which of them to probe. */
package org.kview.recording.survey;
