/* SPDX-License-Identifier: GPL-2.0 */
/* The process whose functions calibration probes; it ends with the agent. */
#ifndef KVIEW_CALIBRATE_CHILD_H
#define KVIEW_CALIBRATE_CHILD_H

#include <stdint.h>
#include <sys/types.h>

struct calibration_code;

/* A byte with a class's number asks for a batch; its answer is the CPU time that it took. */
struct calibrate_child {
	pid_t pid;
	int fd;
};

/* Calls in a batch of a class, CALIBRATE_BIT()'s number. */
unsigned int calibrate_child__calls(uint8_t class);
/* What is called; its start is NULL where this architecture has no such code. */
const struct calibration_code *calibrate_child__code(uint8_t class);

/* 0, or -1 with errno; a started one is to be ended. */
int calibrate_child__start(struct calibrate_child *child);
void calibrate_child__end(struct calibrate_child *child);

/* What a call takes in a batch of them, in ns; -1 if the child is no more. */
int calibrate_child__batch(const struct calibrate_child *child, uint8_t class, double *call_ns);

#endif
