// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.SWTException;
import org.junit.jupiter.api.Test;

class UiThreadTest {
    private final Runnable work = () -> { };

    @Test
    void afterTheWorkbenchNothingIsDone() {
        assertThatCode(() -> UiThread.later(_ -> {
            throw new SWTException(SWT.ERROR_DEVICE_DISPOSED);
        }, work)).doesNotThrowAnyException();
    }

    @Test
    void whatElseGoesWrongIsNotHidden() {
        assertThatThrownBy(() -> UiThread.later(_ -> {
            throw new SWTException(SWT.ERROR_THREAD_INVALID_ACCESS);
        }, work)).isInstanceOf(SWTException.class);
        List<Runnable> queued = new ArrayList<>();
        UiThread.later(queued::add, work);
        assertThat(queued).containsExactly(work);
    }
}
