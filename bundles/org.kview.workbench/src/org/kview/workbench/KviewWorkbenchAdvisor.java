// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.resources.ResourcesPlugin;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.core.runtime.IAdaptable;
import org.eclipse.core.runtime.ILog;
import org.eclipse.core.runtime.NullProgressMonitor;
import org.eclipse.core.runtime.Platform;
import org.eclipse.jface.resource.ImageDescriptor;
import org.eclipse.ui.application.IWorkbenchConfigurer;
import org.eclipse.ui.application.IWorkbenchWindowConfigurer;
import org.eclipse.ui.application.WorkbenchAdvisor;
import org.eclipse.ui.application.WorkbenchWindowAdvisor;
import org.eclipse.ui.ide.IDE;
import org.kview.ui.LatencyPerspective;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;

/** Sets up the workbench as the IDE's own advisor would, without the IDE's extras. */
final class KviewWorkbenchAdvisor extends WorkbenchAdvisor {

    /** What the IDE's advisor declares; Project Explorer shows blanks without them. */
    private static final Map<String, String> IDE_IMAGES = Map.of(
            IDE.SharedImages.IMG_OBJ_PROJECT, "icons/full/obj16/prj_obj.svg",
            IDE.SharedImages.IMG_OBJ_PROJECT_CLOSED, "icons/full/obj16/cprj_obj.svg",
            IDE.SharedImages.IMG_OPEN_MARKER, "icons/full/elcl16/gotoobj_tsk.svg",
            IDE.SharedImages.IMG_OBJS_TASK_TSK, "icons/full/obj16/taskmrk_tsk.svg",
            IDE.SharedImages.IMG_OBJS_BKMRK_TSK, "icons/full/obj16/bkmrk_tsk.svg");

    private final Arguments arguments;
    private Optional<Path> sessionAtEnd = Optional.empty();

    KviewWorkbenchAdvisor(Arguments arguments) {
        this.arguments = arguments;
    }

    @Override
    public void initialize(IWorkbenchConfigurer configurer) {
        super.initialize(configurer);
        IDE.registerAdapters();
        // Size and place of window and views are kept; editors are not, as a trace belongs to its session.
        configurer.setSaveAndRestore(true);
        var ide = Platform.getBundle("org.eclipse.ui.ide");
        IDE_IMAGES.forEach((symbol, path) ->
                configurer.declareImage(symbol, ImageDescriptor.createFromURL(ide.getEntry(path)), true));
    }

    @Override
    public String getInitialWindowPerspectiveId() {
        return LatencyPerspective.ID;
    }

    @Override
    public IAdaptable getDefaultPageInput() {
        return ResourcesPlugin.getWorkspace().getRoot();
    }

    @Override
    public WorkbenchWindowAdvisor createWorkbenchWindowAdvisor(IWorkbenchWindowConfigurer configurer) {
        return new KviewWindowAdvisor(configurer);
    }

    @Override
    public void postStartup() {
        arguments.session().ifPresent(SessionController.get()::open);
    }

    @Override
    public boolean preShutdown() {
        sessionAtEnd = SessionService.get().state() instanceof SessionState.Opened opened ? Optional.of(opened.session()) : Optional.empty();
        return super.preShutdown();
    }

    /** The session that was open as the workbench was told to end. */
    Optional<Path> sessionAtEnd() {
        return sessionAtEnd;
    }

    /** The windows are closed by now, so what takes some seconds on a slow host blocks none. */
    @Override
    public void postShutdown() {
        SessionController.get().shutdown();
        TargetService.get().shutdown();
        saveWorkspace();
    }

    /** If the workspace is not saved, it complains at its next start. */
    private static void saveWorkspace() {
        try {
            ResourcesPlugin.getWorkspace().save(true, new NullProgressMonitor());
        } catch (CoreException e) {
            ILog.of(KviewWorkbenchAdvisor.class).log(e.getStatus());
        }
    }
}
