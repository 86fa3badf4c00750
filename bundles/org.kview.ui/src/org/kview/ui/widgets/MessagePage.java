// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import java.util.function.Consumer;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.kview.model.SafeText;

/** What a view shows instead of figures: one heading, one sentence, and what can be done. */
public final class MessagePage extends Composite {
    private static final int TEXT_WIDTH = 460;

    private final Label heading;
    private final Label sentence;
    private final Link links;

    /** @param linkChosen hears the target of a link that was clicked */
    public MessagePage(Composite parent, Consumer<String> linkChosen) {
        super(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().margins(24, 24).spacing(5, 10).applyTo(this);
        heading = new Label(this, SWT.CENTER);
        heading.setFont(JFaceResources.getHeaderFont());
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.END).grab(true, true).applyTo(heading);
        sentence = new Label(this, SWT.CENTER | SWT.WRAP);
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.CENTER).grab(true, false).hint(TEXT_WIDTH, SWT.DEFAULT)
                .applyTo(sentence);
        links = new Link(this, SWT.NONE);
        links.addListener(SWT.Selection, event -> linkChosen.accept(event.text));
        GridDataFactory.swtDefaults().align(SWT.CENTER, SWT.BEGINNING).grab(true, true).applyTo(links);
    }

    /** @param linkText markup of {@link Link}; may be empty */
    public void show(String title, String text, String linkText) {
        heading.setText(SafeText.lines(title));
        sentence.setText(SafeText.lines(text));
        links.setText(SafeText.lines(linkText));
        layout(true);
    }

    /** Heading and sentence, as a screen reader would say them. */
    public String text() {
        return heading.getText() + "\n" + sentence.getText();
    }
}
