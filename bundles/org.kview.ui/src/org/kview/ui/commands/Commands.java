// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.commands;

import java.util.Map;

import org.eclipse.core.commands.Command;
import org.eclipse.core.commands.ExecutionException;
import org.eclipse.core.commands.ParameterizedCommand;
import org.eclipse.core.commands.common.CommandException;
import org.eclipse.core.runtime.ILog;
import org.eclipse.ui.commands.ICommandService;
import org.eclipse.ui.handlers.IHandlerService;
import org.eclipse.ui.services.IServiceLocator;

/** Runs the workbench's commands from code, as their menus would. */
public final class Commands {
    private Commands() {
    }

    /** Does nothing where the command is not enabled. */
    public static void run(IServiceLocator site, String commandId) {
        run(site, commandId, Map.of());
    }

    /** @param parameters their values by their ids */
    public static void run(IServiceLocator site, String commandId, Map<String, String> parameters) {
        try {
            Command command = site.getService(ICommandService.class).getCommand(commandId);
            site.getService(IHandlerService.class).executeCommand(ParameterizedCommand.generateCommand(command, parameters), null);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Command " + commandId + " failed", e);
        } catch (CommandException e) {
            ILog.of(Commands.class).info("Command " + commandId + " can't be run now: " + e.getMessage());
        }
    }
}
