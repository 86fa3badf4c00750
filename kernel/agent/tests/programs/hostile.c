// SPDX-License-Identifier: GPL-2.0
/*
 * Names that no source has, but a file can.  Assemblers refuse most: the test writes what
 * it wants over those that begin with NAME_.
 */
#include <stdio.h>

#define FUNCTION(name, symbol)					\
	void name(void) asm(symbol);				\
	__attribute__((used)) void name(void) { puts(#name); }
#define TEN(x) x x x x x x x x x x

FUNCTION(newline, "NAME_0123456789_a")
FUNCTION(escape, "NAME_0123456789_b")
FUNCTION(quote, "NAME_0123456789_c")
FUNCTION(not_utf8, "NAME_0123456789_d")
FUNCTION(umlaut, "NAME_0123456789_e")
FUNCTION(glob, "NAME_0123456789_f")
/* Every pair doubles what is demangled. */
FUNCTION(bomb, "_Z1fIP4PairIS0_IS0_IS0_IS0_IS0_IS0_IS0_iiES1_ES2_ES3_ES4_ES5_ES6_ES7_EEvT_")
FUNCTION(half_mangled, "_ZN3foo")
FUNCTION(long_name, "l" TEN(TEN(TEN(TEN("o")))) "ng")

int main(void)
{
	newline();
	return 0;
}
