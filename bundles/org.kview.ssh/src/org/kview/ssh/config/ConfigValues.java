// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values found so far. The first value of each option counts; only identity files are collected. */
final class ConfigValues {
    private final Map<String, List<String>> values = new HashMap<>();
    private final List<String> identityFiles = new ArrayList<>();
    private Optional<HostSettings.Proxy> proxy = Optional.empty();

    void set(ConfigLine line) throws SshConfigException {
        switch (line.keyword()) {
            case "identityfile" -> {
                addIdentityFile(line.argument());
            }
            // The first of these two options excludes the other.
            case "proxyjump" -> setProxy(HostSettings.Proxy.jump(line.argument()));
            case "proxycommand" -> {
                line.argument();
                setProxy(HostSettings.Proxy.command(line.rest()));
            }
            case "userknownhostsfile", "globalknownhostsfile" -> {
                line.argument();
                values.putIfAbsent(line.keyword(), line.arguments());
            }
            default -> values.putIfAbsent(line.keyword(), List.of(line.argument()));
        }
    }

    void setProxy(HostSettings.Proxy value) {
        if (proxy.isEmpty()) {
            proxy = Optional.of(value);
        }
    }

    void addIdentityFile(String text) {
        if (!identityFiles.contains(text)) {
            identityFiles.add(text);
        }
    }

    /** Sets a value that comes before all files, as one on ssh's command line does. */
    void preset(String keyword, String value) {
        preset(keyword, List.of(value));
    }

    void preset(String keyword, List<String> all) {
        values.put(keyword, List.copyOf(all));
    }

    void replace(String keyword, String value) {
        values.put(keyword, List.of(value));
    }

    Optional<String> get(String keyword) {
        return Optional.ofNullable(values.get(keyword)).map(List::getFirst);
    }

    Optional<List<String>> all(String keyword) {
        return Optional.ofNullable(values.get(keyword));
    }

    List<String> identityFiles() {
        return List.copyOf(identityFiles);
    }

    HostSettings.Proxy proxy() {
        return proxy.orElse(new HostSettings.Proxy.None());
    }
}
