/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Structures that grow: their size is part of an ioctl's number.  Of one larger than is
 * known here the rest must be zero; what a smaller one lacks is zero.
 *
 * @cmd is the caller's, with his structure's size; @size is what is known here.  All of these touch
 * the caller's memory, which can take as long as he likes: never with a lock held.
 */
#ifndef KVIEW_MODULE_IOCTL_H
#define KVIEW_MODULE_IOCTL_H

#include <linux/ioctl.h>
#include <linux/minmax.h>
#include <linux/uaccess.h>

/* An ioctl of whatever size. */
#define KVIEW_ANY_SIZE(cmd)	((cmd) & ~IOCSIZE_MASK)

/* Fills @arg.  -EFAULT; -E2BIG: it asks for what is not known here. */
static inline int kview_arg_get(unsigned int cmd, void *arg, size_t size, const void __user *user)
{
	return copy_struct_from_user(arg, size, user, _IOC_SIZE(cmd));
}

/* Writes @arg back; the part that is not known here becomes zero.  -EFAULT: perhaps in part. */
static inline int kview_arg_put(unsigned int cmd, const void *arg, size_t size, void __user *user)
{
	size_t theirs = _IOC_SIZE(cmd), n = min(theirs, size);

	return copy_to_user(user, arg, n) || clear_user(user + n, theirs - n) ? -EFAULT : 0;
}

/* The same with the @i-th of an array at @buf, of elements that are @theirs bytes each. */
static inline int kview_element_put(u64 buf, u32 i, u32 theirs, const void *element, size_t size)
{
	void __user *user = u64_to_user_ptr(buf + (u64)i * theirs);
	size_t n = min_t(size_t, theirs, size);

	return copy_to_user(user, element, n) || clear_user(user + n, theirs - n) ? -EFAULT : 0;
}

#endif
