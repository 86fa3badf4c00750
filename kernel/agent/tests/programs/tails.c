// SPDX-License-Identifier: GPL-2.0
/* Functions that end by jumps, to every kind of place; waits for its input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone, noipa))
long (*volatile t_where)(long);

long leaf(long x), t_direct(long x), t_twice(long x), t_pointer(long x), t_to_pointer(long x),
	t_into_the_middle(long x), t_even(long x), t_odd(long x);
asm(".text\n"
    ".globl leaf\n.type leaf,@function\nleaf: lea 1(%rdi),%rax\n inside: ret\n.size leaf,.-leaf\n"
    ".globl t_direct\n.type t_direct,@function\nt_direct: push %rbx\n pop %rbx\n jmp leaf\n"
    ".size t_direct,.-t_direct\n"
    ".globl t_twice\n.type t_twice,@function\nt_twice: push %rbx\n pop %rbx\n jmp t_direct\n"
    ".size t_twice,.-t_twice\n"
    ".globl t_pointer\n.type t_pointer,@function\nt_pointer: push %rbx\n pop %rbx\n"
    " jmp *t_where(%rip)\n.size t_pointer,.-t_pointer\n"
    ".globl t_to_pointer\n.type t_to_pointer,@function\nt_to_pointer: push %rbx\n pop %rbx\n"
    " jmp t_pointer\n.size t_to_pointer,.-t_to_pointer\n"
    ".globl t_into_the_middle\n.type t_into_the_middle,@function\nt_into_the_middle: push %rbx\n"
    " pop %rbx\n mov %rdi,%rax\n jmp inside\n.size t_into_the_middle,.-t_into_the_middle\n"
    ".globl t_even\n.type t_even,@function\nt_even: push %rbx\n pop %rbx\n dec %rdi\n"
    " js 1f\n jmp t_odd\n1: ret\n.size t_even,.-t_even\n"
    ".globl t_odd\n.type t_odd,@function\nt_odd: push %rbx\n pop %rbx\n dec %rdi\n"
    " js 1f\n jmp t_even\n1: ret\n.size t_odd,.-t_odd\n");

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

APART void t_library(int *all, size_t nr)
{
	all[0]++;
	qsort(all, nr, sizeof(*all), compare);
}

APART void *t_chosen(char *to, const char *from, size_t nr)
{
	to[0]++;
	return memmove(to, from, nr);
}

int main(void)
{
	int all[] = { 3, 1, 2 };
	char c, text[] = "some text";

	t_where = leaf;
	t_library(all, 3);
	t_chosen(text, text + 1, all[1]);
	printf("%ld\n", t_direct(1) + t_twice(1) + t_pointer(1) + t_to_pointer(1) +
	       t_into_the_middle(1) + t_even(5) + t_odd(4));
	fflush(stdout);
	return read(0, &c, 1) < 0;
}
