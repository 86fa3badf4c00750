/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A link can only be closed as a whole.  So to remove the probes of some functions, the other
 * functions get new links (the next edition), and then the old links are closed.  For a moment both
 * are at the same place, and each hit has to count only once.
 *
 * The kernel runs the younger link's eBPF program first.  It alone moves a thread to its edition,
 * so that the older one's eBPF program, in the same hit, sees whether that has counted.
 */
#ifndef KVIEW_EDITION_BPF_H
#define KVIEW_EDITION_BPF_H

/*
 * The edition in force, modulo 4.  The next edition's links are attached before it is in force;
 * until then their hits are ignored.
 */
__u32 edition;

static __always_inline u32 edition__age(u32 now, u64 cookie)
{
	return (now - XP_COOKIE_EDITION(cookie)) & 3;
}

/*
 * Whether this hit is for an eBPF program with this cookie; t may be NULL.  A function whose probes
 * come off has old links alone: its calls may end while they last.
 */
static __always_inline bool edition__counts(struct thread *t, u64 cookie)
{
	u32 now = READ_ONCE(edition), age = edition__age(now, cookie);

	if (!age) {
		if (t)
			t->edition = now & 3;
		return true;
	}
	return age == 1 && (!t || t->edition != (now & 3) ||
			    function__is_off(XP_COOKIE_FUNCTION(cookie)));
}

/* Whether a call that is entered is to be counted: not of a function whose probes come off. */
static __always_inline bool edition__begins(struct thread *t, u64 cookie)
{
	return edition__counts(t, cookie) &&
	       (!edition__age(READ_ONCE(edition), cookie) ||
		!function__is_off(XP_COOKIE_FUNCTION(cookie)));
}

/*
 * A call whose return address is replaced ends by the link that saw it begin, also after the next
 * edition has come, while that link lasts: its frame keeps the edition, modulo 2^12.
 */
__u32 oldest_edition;			/* of the links that are left of these */

static __always_inline u16 frame__edition(u64 cookie)
{
	u32 now = READ_ONCE(edition);

	return (now - edition__age(now, cookie)) << FRAME_EDITION_SHIFT;
}

static __always_inline bool frame__link_is_gone(const struct frame *f)
{
	u32 edition_of_it = f->flags >> FRAME_EDITION_SHIFT;

	return asks_at_entry && f->flags & FRAME_URETPROBE &&
	       (edition_of_it - oldest_edition) & 1 << (15 - FRAME_EDITION_SHIFT);
}

#endif
