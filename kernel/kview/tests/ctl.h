/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of kviewctl.  All of these CHECK. */
#ifndef KVIEW_TEST_CTL_H
#define KVIEW_TEST_CTL_H

#include <sys/types.h>

/* One call; what it prints goes to a file, so that it never waits for a reader. */
struct call {
	pid_t pid;
	int output;
	int code;
	char text[8192];
};

struct call call_start(const char *fmt, ...);
void call_end(struct call *c);
/* It exits with @code and says @text. */
void check_call(const struct call *c, int code, const char *text);
/* The number in the line that ends in @name. */
long long counted(const struct call *c, const char *name);

#define CALL(...) ({ struct call c_ = call_start(__VA_ARGS__); call_end(&c_); c_; })

#define EXPECT(code, text, ...) \
	do { struct call c_ = CALL(__VA_ARGS__); check_call(&c_, code, text); } while (0)

#endif /* KVIEW_TEST_CTL_H */
