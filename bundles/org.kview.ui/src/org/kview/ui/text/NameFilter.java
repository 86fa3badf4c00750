// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Decides which names pass a filter text: all names that contain it, regardless of case. If it contains {@code *} or {@code
 * ?}, a name passes that matches it as a whole, as a glob.
 */
public final class NameFilter implements Predicate<String> {
    private final Predicate<String> test;

    private NameFilter(Predicate<String> test) {
        this.test = test;
    }

    public static NameFilter of(String text) {
        String wanted = text.strip().toLowerCase(Locale.ROOT);
        if (wanted.indexOf('*') < 0 && wanted.indexOf('?') < 0) {
            return new NameFilter(name -> name.toLowerCase(Locale.ROOT).contains(wanted));
        }
        StringBuilder regex = new StringBuilder();
        wanted.codePoints().forEach(c -> regex.append(switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> Pattern.quote(Character.toString(c));
        }));
        Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
        return new NameFilter(name -> pattern.matcher(name.toLowerCase(Locale.ROOT)).matches());
    }

    @Override
    public boolean test(String name) {
        return test.test(name);
    }
}
