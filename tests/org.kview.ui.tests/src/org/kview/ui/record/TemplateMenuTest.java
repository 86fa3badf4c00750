// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateStore;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.Dialogs;
import org.kview.ui.Ui;

/** The wizard's menu for templates, by its entries and the dialogs that they open. */
class TemplateMenuTest {
    private static final String TITLE = "Recording Template";

    @TempDir
    Path folder;

    private TemplateStore store;
    private WizardPose wizard;
    /** What the file dialog answers: that one is the desktop's own. */
    private Optional<Path> file = Optional.empty();
    private String proposed;

    @BeforeEach
    void open() throws Exception {
        store = new TemplateStore(folder.resolve("templates"));
        wizard = WizardPose.openOnFakeHost();
        wizard.chooseFunctions();
    }

    @AfterEach
    void close() {
        wizard.cancel();
        Ui.settle();
    }

    private static RecordingTemplate template(String name, String function) {
        return new RecordingTemplate(name, List.of(new RecordingTemplate.Probe("", function, function)), false, Filter.IN,
                Optional.empty());
    }

    /** The menu as it opens. On the UI thread. */
    private List<MenuItem> entries() {
        TemplateMenu menu = new TemplateMenu(store, (_, _, name) -> {
            proposed = name;
            return file;
        });
        FunctionPage page = wizard.wizard().functionPage();
        return List.of(menu.menu(menu.createButton(wizard.shell(), page), page).getItems());
    }

    private static MenuItem entry(List<MenuItem> items, String text) {
        return items.stream().filter(item -> item.getText().equals(text)).findFirst()
                .orElseThrow(() -> new AssertionError("No entry " + text));
    }

    /** Chooses an entry, as {@code "&Export", "shop"} one below another. What it opens is open afterwards. */
    private void choose(String... path) {
        Display.getDefault().asyncExec(() -> {
            List<MenuItem> items = entries();
            for (String text : Arrays.asList(path).subList(0, path.length - 1)) {
                Menu below = entry(items, text).getMenu();
                items = List.of(below.getItems());
            }
            entry(items, path[path.length - 1]).notifyListeners(SWT.Selection, new Event());
        });
    }

    private List<RecordingTemplate> kept() {
        return store.list().templates();
    }

    @Test
    void whatIsTickedIsSavedUnderANameAndReplacedOnlyWhenConfirmed() throws Exception {
        choose("&Save as Template…");
        Shell name = Dialogs.await(TITLE);
        assertThat(Dialogs.text(name)).contains("without target and process");
        Dialogs.type(name, " slow & steady ");
        Dialogs.press(name, "OK");
        Ui.await("it is kept", () -> kept().size() == 1);
        RecordingTemplate first = kept().getFirst();
        assertThat(first.name()).isEqualTo("slow & steady");
        assertThat(first.probes()).extracting(RecordingTemplate.Probe::function)
                .containsExactlyInAnyOrder("price_basket", "flush_cache");
        assertThat(Ui.get(() -> entries().getFirst().getText())).as("no mnemonic").isEqualTo("Apply slow && steady");

        store.save(template("slow & steady", "price_total"));
        choose("&Save as Template…");
        Shell again = Dialogs.await(TITLE);
        Dialogs.type(again, "slow & steady");
        Dialogs.press(again, "OK");
        Ui.await("it is asked", () -> Dialogs.find(TITLE).filter(shell -> shell != again).isPresent());
        Dialogs.press(Dialogs.await(TITLE), "No");
        Dialogs.awaitNone(TITLE);
        assertThat(kept()).containsExactly(template("slow & steady", "price_total"));
    }

    /** Several, which have no symbol that told them apart, beside a function; and one that the host's kernel has not. */
    @Test
    void systemCallsOfATemplateAreTickedToo() throws Exception {
        RecordingTemplate calls = new RecordingTemplate("calls", Stream.of("fsync", "read", "gone").map(ProbePoint.SystemCall::new)
                .map(call -> new RecordingTemplate.Probe(call, call.label())).toList(), false, Filter.AUTO, Optional.empty());
        FunctionPage page = wizard.wizard().functionPage();
        Ui.run(() -> page.apply(calls));
        Ui.await("they are ticked", () -> page.functions().size() == 4);
        assertThat(Ui.get(page::functions)).extracting(FunctionInfo::name).containsExactly("price_basket", "flush_cache", "syscall:fsync", "syscall:read");
        assertThat(Ui.get(page::lackingText)).startsWith("1 function of the template can't be probed here: syscall:gone.");
        assertThat(Ui.get(() -> page.checks().control().getItem(2).getText(3))).isEqualTo("in the kernel");

        wizard.tryCost();
        PricePage price = wizard.wizard().pricePage();
        assertThat(Ui.get(() -> price.table().getItemCount())).as("functions that were tried").isEqualTo(2);
        assertThat(Ui.get(price::statusText)).contains("The trial counted", "Points of the kernel are not tried");
        Ui.run(() -> {
            wizard.dialog().showPage(page);
            page.checks().setChecked(0, false);
            page.checks().setChecked(1, false);
            wizard.dialog().showPage(price);
        });
        assertThat(Ui.get(price::isTrying)).as("other processes would pay for it").isFalse();
        assertThat(Ui.get(price::statusText)).startsWith("Points of the kernel are not tried");
        assertThat(Ui.get(() -> price.table().getItemCount() + " " + price.button().isEnabled())).isEqualTo("0 false");
    }

    @Test
    void anExportedTemplateIsImportedElsewhere() throws Exception {
        store.save(template("shop: a/b", "price_basket"));
        file = Optional.of(folder.resolve("out/shop.kview-template.json"));
        choose("&Export", "shop: a/b");
        Ui.await("it is written", () -> Files.exists(file.orElseThrow()));
        assertThat(proposed).isEqualTo("shop__a_b.kview-template.json");
        store = new TemplateStore(folder.resolve("another"));
        choose("&Import…");
        Ui.await("it is kept", () -> kept().equals(List.of(template("shop: a/b", "price_basket"))));
    }

    @Test
    void nothingIsImportedOverAnotherUnlessConfirmed() throws Exception {
        Path other = folder.resolve("other.kview-template.json");
        TemplateStore.write(template("shop", "flush_cache"), other);
        store.save(template("shop", "price_basket"));
        file = Optional.of(other);
        choose("&Import…");
        Shell question = Dialogs.await(TITLE);
        assertThat(Dialogs.text(question)).contains("There is a template shop already.");
        Dialogs.press(question, "No");
        Dialogs.awaitNone(TITLE);
        assertThat(kept()).containsExactly(template("shop", "price_basket"));
        choose("&Import…");
        Dialogs.press(Dialogs.await(TITLE), "Yes");
        Ui.await("it is replaced", () -> kept().equals(List.of(template("shop", "flush_cache"))));
    }

    @Test
    void aFileThatIsNoTemplateIsNamed() throws Exception {
        file = Optional.of(Files.writeString(folder.resolve("notes.txt"), "milk, bread"));
        choose("&Import…");
        Shell error = Dialogs.await(TITLE);
        assertThat(Dialogs.text(error)).contains("notes.txt holds no template");
        Dialogs.press(error, "OK");
        assertThat(kept()).isEmpty();
    }

    @Test
    void aPlaceThatCantBeWrittenIsNamed() throws Exception {
        store.save(template("shop", "price_basket"));
        Path inTheWay = Files.writeString(folder.resolve("file"), "");
        file = Optional.of(inTheWay.resolve("shop.kview-template.json"));
        choose("&Export", "shop");
        Shell error = Dialogs.await(TITLE);
        assertThat(Dialogs.text(error)).contains("The template shop can't be written to " + file.orElseThrow());
        Dialogs.press(error, "OK");
    }

    @Test
    void aRemovedTemplateIsGoneAndADamagedOneIsSaid() throws Exception {
        store.save(template("shop", "price_basket"));
        choose("&Remove", "shop");
        Dialogs.press(Dialogs.await(TITLE), "Yes");
        Ui.await("it is gone", () -> kept().isEmpty());
        Files.writeString(folder.resolve("templates/x" + TemplateStore.SUFFIX), "{");
        assertThat(Ui.get(() -> entries().getLast().getText())).startsWith("Damaged: ").contains("x.kview-template.json");
        assertThat(Ui.get(() -> entries().getLast().isEnabled())).isFalse();
    }
}
