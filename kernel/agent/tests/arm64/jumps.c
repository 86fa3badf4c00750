// SPDX-License-Identifier: GPL-2.0
/* Every way in which code for arm64 ends a call. */
#define PROBED __attribute__((noinline, noclone, used))

PROBED int f_leaf(int x) { return x * 3 + 1; }
PROBED int f_saves(int x) { int r = f_leaf(x); return r + f_leaf(r); }
PROBED int f_recurse(int n) { return n > 1 ? f_recurse(n - 1) + f_saves(n) : 1; }

/* Written out: compilers are free to do otherwise. */
asm(".text\n.globl f_tail, f_tail_if, f_tail_reg, f_zero, f_data\n"
    ".type f_tail, %function\nf_tail:\n"
    "	stp x29, x30, [sp, #-16]!\n	bl f_leaf\n	ldp x29, x30, [sp], #16\n	b f_leaf\n"
    ".size f_tail, . - f_tail\n"
    ".type f_tail_if, %function\nf_tail_if:\n"
    "	mov x1, x0\n	tst w0, #1\n	b.ne f_leaf\n	ret\n"
    ".size f_tail_if, . - f_tail_if\n"
    ".type f_tail_reg, %function\nf_tail_reg:\n"
    "	adr x16, f_leaf\n	br x16\n"
    ".size f_tail_reg, . - f_tail_reg\n"
    /* A condition that no probe can follow out of the function. */
    ".type f_zero, %function\nf_zero:\n"
    "	mov x1, x0\n	cbz w0, f_leaf\n	ret\n"
    ".size f_zero, . - f_zero\n"
    /* One word of it looks like a return. */
    ".type f_data, %function\nf_data:\n"
    "	ldr w0, 1f\n	ret\n1:	.word 0xd65f03c0\n"
    ".size f_data, . - f_data\n");

int f_tail(int x);
int f_tail_if(int x);
int f_tail_reg(int x);
int f_zero(int x);
int f_data(void);

PROBED int f_switch(int n)
{
	switch (n) {
	case 0: return f_leaf(n) + 2;
	case 1: return f_saves(n) - 7;
	case 2: return f_tail(n) ^ 5;
	case 3: return f_tail_if(n) * 11;
	case 4: return f_tail_reg(n) % 3;
	case 5: return f_zero(n) & 6;
	default: return f_data();
	}
}

int main(int argc, char **argv)
{
	return f_recurse(argc) + f_switch(argc);
}
