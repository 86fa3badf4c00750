// SPDX-License-Identifier: EPL-2.0
package org.kview.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;

/** What the classes use, whatever the manifests would let them. */
class CodeDependencyTest {
    private static final String[] USER_INTERFACE = {"org.eclipse.swt..", "org.eclipse.jface..", "org.eclipse.ui..", "org.eclipse.tracecompass.tmf.ui.."};
    private static final String[] PLAIN = {"org.kview.model..", "org.kview.wire..", "org.kview.chart..", "org.kview.ctf..", "org.kview.calls..", "org.kview.babeltrace..", "org.kview.session..", "org.kview.statistics..", "org.kview.compare..", "org.kview.targets..", "org.kview.recording..", "org.kview.ssh.."};

    private static JavaClasses classes;

    @BeforeAll
    static void readClasses() {
        classes = Bundles.classes();
    }

    /** A wrong folder would let every other test pass. */
    @Test
    void thereAreClasses() {
        assertThat(classes.contain("org.kview.workbench.WorkbenchApplication")).isTrue();
    }

    @Test
    void domainKnowsNoEclipse() {
        holds(noClasses().that().resideInAnyPackage(PLAIN).should().dependOnClassesThat().resideInAPackage("org.eclipse.."));
    }

    @Test
    void theSshLibraryIsOneBundlesAffair() {
        holds(noClasses().that().resideOutsideOfPackage("org.kview.ssh..")
                .should().dependOnClassesThat().resideInAnyPackage("org.apache.sshd..", "com.jcraft.."));
    }

    @Test
    void generatedMessagesStayBetweenWireAndTarget() {
        holds(noClasses().that().resideOutsideOfPackages("org.kview.wire..", "org.kview.targets..")
                .should().dependOnClassesThat().resideInAnyPackage("org.kview.wire.proto..", "com.google.protobuf.."));
    }

    @Test
    void windowsOnlyInTheUserInterface() {
        holds(noClasses().that().resideOutsideOfPackages("org.kview.ui..", "org.kview.workbench..")
                .should().dependOnClassesThat().resideInAnyPackage(USER_INTERFACE));
    }

    /**
     * Foreign functions can crash the whole workbench: a bundle that needs them is named here, with its reason. The store of calls
     * maps files of its own into memory, and calls nothing. The bindings of libbabeltrace2 call that library.
     */
    @Test
    void foreignMemoryOnlyInTheStoreOfCallsAndTheBindings() {
        holds(noClasses().that().resideOutsideOfPackages("org.kview.calls..", "org.kview.babeltrace..")
                .should().dependOnClassesThat().resideInAPackage("java.lang.foreign.."));
        holds(noClasses().that().resideOutsideOfPackage("org.kview.babeltrace..")
                .should().dependOnClassesThat().haveFullyQualifiedName("java.lang.foreign.Linker")
                .orShould().dependOnClassesThat().haveFullyQualifiedName("java.lang.foreign.SymbolLookup"));
    }

    /** The bindings are of use without the rest. */
    @Test
    void theBindingsKnowNothingOfOurs() {
        holds(noClasses().that().resideInAPackage("org.kview.babeltrace..").should().dependOnClassesThat(
                resideInAPackage("org.kview..").and(not(resideInAPackage("org.kview.babeltrace..")))));
    }

    /** {@code UiThread} knows what to do where the workbench has been closed just then. */
    @Test
    void workIsLeftToTheUiThreadInOneWay() {
        holds(noClasses().that().doNotHaveFullyQualifiedName("org.kview.ui.UiThread")
                .should().callMethod("org.eclipse.swt.widgets.Display", "asyncExec", "java.lang.Runnable")
                .orShould().callMethod("org.eclipse.swt.widgets.Display", "syncExec", "java.lang.Runnable"));
    }

    /** While the workbench closes it would make another display. */
    @Test
    void nobodyAsksForWhicheverDisplayThereIs() {
        holds(noClasses().should().callMethod("org.eclipse.swt.widgets.Display", "getDefault"));
    }

    @Test
    void noPackageCycles() {
        holds(slices().matching("org.kview.(**)").should().beFreeOfCycles());
    }

    private static void holds(ArchRule rule) {
        rule.allowEmptyShould(true).check(classes);
    }
}
