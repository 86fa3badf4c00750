// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.ssh;

import org.eclipse.jface.dialogs.Dialog;
import org.eclipse.jface.dialogs.IDialogConstants;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;
import org.kview.ssh.SshPrompter.HostKeyAnswer;
import org.kview.ssh.SshPrompter.UnknownHostKey;
import org.kview.ui.theme.OwnColours;

/** Whether a host whose key is not known is to be trusted. Refusing is what happens without an answer. */
final class HostKeyDialog extends Dialog {
    static final int ONCE = IDialogConstants.CLIENT_ID;
    static final int REMEMBER = IDialogConstants.CLIENT_ID + 1;
    private static final int TEXT_WIDTH = 520;

    private final UnknownHostKey key;
    private HostKeyAnswer answer = HostKeyAnswer.REFUSE;

    HostKeyDialog(Shell parent, UnknownHostKey key) {
        super(parent);
        this.key = key;
        setShellStyle(SWT.DIALOG_TRIM | SWT.APPLICATION_MODAL | SWT.RESIZE);
    }

    @Override
    protected void configureShell(Shell shell) {
        super.configureShell(shell);
        shell.setText("Unknown Host Key");
    }

    @Override
    protected Control createDialogArea(Composite parent) {
        Composite area = (Composite) super.createDialogArea(parent);
        GridLayoutFactory.swtDefaults().numColumns(2).margins(14, 12).spacing(10, 8).applyTo(area);
        sentence(area, "The host " + key.host() + " is not known: no known_hosts file has a key of it. Compare the"
                + " fingerprint with what the host's owner tells you before you trust it.");
        if (!key.warning().isEmpty()) {
            OwnColours.warn(sentence(area, "Careful: " + key.warning()));
        }
        value(area, "Host:", key.host());
        value(area, "Key type:", key.keyType());
        value(area, "Fingerprint:", key.fingerprint());
        if (!key.file().isEmpty()) {
            sentence(area, "“Accept and Save” adds the key to " + key.file() + ".");
        }
        return area;
    }

    private static Label sentence(Composite area, String text) {
        Label label = new Label(area, SWT.WRAP);
        label.setText(SafeText.lines(text.replace("&", "&&")));
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).hint(TEXT_WIDTH, SWT.DEFAULT).applyTo(label);
        return label;
    }

    /** Can be selected and copied, to be compared elsewhere. */
    private static void value(Composite area, String name, String text) {
        new Label(area, SWT.NONE).setText(SafeText.lines(name));
        Text field = new Text(area, SWT.READ_ONLY);
        field.setText(SafeText.lines(text));
        field.setFont(JFaceResources.getTextFont());
        OwnColours.plain(field);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(field);
    }

    @Override
    protected void createButtonsForButtonBar(Composite parent) {
        createButton(parent, REMEMBER, "Accept and &Save", false).setEnabled(!key.file().isEmpty());
        createButton(parent, ONCE, "Accept &Once", false);
        createButton(parent, IDialogConstants.CANCEL_ID, "&Refuse", true).setFocus();
    }

    @Override
    protected void buttonPressed(int button) {
        switch (button) {
            case ONCE -> answer = HostKeyAnswer.ONCE;
            case REMEMBER -> answer = HostKeyAnswer.REMEMBER;
            default -> answer = HostKeyAnswer.REFUSE;
        }
        setReturnCode(answer == HostKeyAnswer.REFUSE ? CANCEL : OK);
        close();
    }

    HostKeyAnswer answer() {
        return answer;
    }
}
