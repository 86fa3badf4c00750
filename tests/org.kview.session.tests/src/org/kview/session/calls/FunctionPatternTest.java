// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

class FunctionPatternTest {
    private static final List<String> NAMES = List.of("parse(char*)", "parse(char const*)", "shop::price(int)", "shop::price(long) const",
            "shop::pricey(int)", "void shop::sort<int>(int*, int (*)(int))", "(anonymous namespace)::f(int)", "price_basket",
            "A::operator()(int)", "A::run(int) [clone .cold]", "f(int)::{lambda(int)#1}");

    private static List<String> found(String text) {
        return NAMES.stream().filter(FunctionPattern.of(text, NAMES)).toList();
    }

    @Test
    void anExactNameTakesNoOtherOverload() {
        assertThat(found("parse(char*)")).containsExactly("parse(char*)");
        assertThat(found("price_basket")).containsExactly("price_basket");
    }

    @Test
    void aNameWithoutParametersTakesAllOverloads() {
        assertThat(found("shop::price")).containsExactly("shop::price(int)", "shop::price(long) const");
        assertThat(found("parse")).containsExactly("parse(char*)", "parse(char const*)");
        assertThat(found("shop::sort<int>")).containsExactly("void shop::sort<int>(int*, int (*)(int))");
        assertThat(found("(anonymous namespace)::f")).containsExactly("(anonymous namespace)::f(int)");
        assertThat(found("A::operator()")).containsExactly("A::operator()(int)");
        assertThat(found("A::run")).containsExactly("A::run(int) [clone .cold]");
        assertThat(found("f")).isEmpty();
        assertThat(found("")).isEmpty();
    }

    @Test
    void anythingElseIsAGlob() {
        assertThat(found("parse(*)")).containsExactly("parse(char*)", "parse(char const*)");
        assertThat(found("shop::p*(int)")).containsExactly("shop::price(int)", "shop::pricey(int)");
    }
}
