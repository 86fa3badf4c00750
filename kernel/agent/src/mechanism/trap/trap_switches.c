// SPDX-License-Identifier: GPL-2.0
/* What tells a recording of functions when their threads leave their CPUs. */
#include "mechanism/own_switches.h"
#include "mechanism/trap/trap_state.h"

#define OWN_NOTE "Filtered in the eBPF programs. " OWN_SWITCHES_NOTE " A file with probes costs other processes some tenths of a µs for each probed place when they map it, as a program does at its start. Their calls of the functions cost nothing more."

struct xprobe *trap__load_xprobe(struct trap *trap, const struct mechanism_load *load, struct xprobe_opts *opts, struct error *error)
{
	const char *more = measures__cost_others(trap->measures) ? "what is counted within calls takes them" : NULL;
	int own = trap->view ? 0 :
		  own_switches__wanted(load, trap->base.pid, more, trap->why_host, sizeof(trap->why_host), error);
	struct xprobe *xprobe;

	if (own < 0)
		return NULL;
	opts->own_switches = own;
	xprobe = xprobe__new(opts, error);
	if (!xprobe && own_switches__give_up(&opts->own_switches, load, trap->why_host, sizeof(trap->why_host)))
		xprobe = xprobe__new(opts, error);
	if (opts->own_switches)
		trap->base.filter_note = OWN_NOTE;
	return xprobe;
}
