// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;

/** Which addresses of a host are used: perhaps only one kind of them is reached on the way that the user wants. */
public enum AddressFamily {
    ANY("IP", InetAddress.class),
    INET("IPv4", Inet4Address.class),
    INET6("IPv6", Inet6Address.class);

    private final String shown;
    private final Class<? extends InetAddress> type;

    AddressFamily(String shown, Class<? extends InetAddress> type) {
        this.shown = shown;
        this.type = type;
    }

    public boolean has(InetAddress address) {
        return type.isInstance(address);
    }

    /** As people call it. */
    @Override
    public String toString() {
        return shown;
    }
}
