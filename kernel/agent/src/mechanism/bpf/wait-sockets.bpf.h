/* SPDX-License-Identifier: GPL-2.0 */
/* Sockets that threads wait with: what tells one from others, and how it is described. */
#ifndef KVIEW_WAIT_SOCKETS_BPF_H
#define KVIEW_WAIT_SOCKETS_BPF_H

#include "mechanism/bpf/file-types.h"
#include "mechanism/bpf/waits.h"

#define SOCKFS_MAGIC	0x534f434b
#define AF_UNIX		1
#define AF_INET		2
#define AF_INET6	10
#define TCP_LISTEN	10		/* of all families */

static __always_inline u64 number__with(u64 number, u64 value)
{
	number = (number ^ value) * 0x9e3779b97f4a7c15ULL;
	return number ^ number >> 32;
}

static __always_inline struct sock *sock__of(struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);

	return BPF_CORE_READ(socket, sk);
}

static __always_inline bool is_socket(struct file *file)
{
	return (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) == S_IFSOCK &&
	       BPF_CORE_READ(file, f_inode, i_sb, s_magic) == SOCKFS_MAGIC;
}

/* It can be connected to others in turn. */
static __always_inline u64 socket__number(u64 number, struct sock *sock)
{
	u64 addresses[2] = { 0 };
	u16 family = BPF_CORE_READ(sock, __sk_common.skc_family);
	struct unix_sock *peer;

	number = number__with(number, BPF_CORE_READ(sock, __sk_common.skc_state) == TCP_LISTEN);
	if (family == AF_UNIX) {
		number = number__with(number, BPF_CORE_READ(sock, sk_peer_pid, numbers[0].nr));
		if (!bpf_core_field_exists(((struct unix_sock *)0)->peer))
			return number;
		number = number__with(number, (u64)BPF_CORE_READ((struct unix_sock *)sock, addr));
		peer = (struct unix_sock *)BPF_CORE_READ((struct unix_sock *)sock, peer);
		return number__with(number__with(number, (u64)peer), (u64)BPF_CORE_READ(peer, addr));
	}
	if (family != AF_INET && family != AF_INET6)
		return number;
	number = number__with(number, BPF_CORE_READ(sock, __sk_common.skc_portpair));
	if (family == AF_INET)
		return number__with(number, BPF_CORE_READ(sock, __sk_common.skc_addrpair));
	if (!bpf_core_field_exists(((struct sock_common *)0)->skc_v6_daddr))
		return number;
	BPF_CORE_READ_INTO(&addresses, sock, __sk_common.skc_v6_daddr);
	number = number__with(number__with(number, addresses[0]), addresses[1]);
	BPF_CORE_READ_INTO(&addresses, sock, __sk_common.skc_v6_rcv_saddr);
	return number__with(number__with(number, addresses[0]), addresses[1]);
}

static __always_inline void wait_file__fill_inet(struct xp_wait_file *f, struct sock *sock)
{
	u64 addresses;

	f->kind = XP_FILE_INET;
	f->local_port = BPF_CORE_READ(sock, __sk_common.skc_num);
	f->peer_port = __builtin_bswap16(BPF_CORE_READ(sock, __sk_common.skc_dport));
	if (f->family == AF_INET) {
		addresses = BPF_CORE_READ(sock, __sk_common.skc_addrpair);
		*(u32 *)f->peer = addresses;
		*(u32 *)f->local = addresses >> 32;
	} else if (bpf_core_field_exists(((struct sock_common *)0)->skc_v6_daddr)) {
		BPF_CORE_READ_INTO(&f->peer, sock, __sk_common.skc_v6_daddr);
		BPF_CORE_READ_INTO(&f->local, sock, __sk_common.skc_v6_rcv_saddr);
	}
}

/* Returns its length: names need not end, and may begin with a 0. */
static __always_inline u16 unix__name(char *to, struct sock *sock)
{
	struct unix_address *address = BPF_CORE_READ((struct unix_sock *)sock, addr);
	u32 length = address ? BPF_CORE_READ(address, len) - 2 : 0;

	if (!length || length >= XP_UNIX_BYTES)
		return 0;
	return bpf_probe_read_kernel(to, BOUND(length, XP_UNIX_BYTES - 1),
				     (void *)address + bpf_core_field_offset(struct unix_address, name) + 2) ? 0 : length;
}

static __always_inline void wait_file__fill_unix(struct xp_wait_file *f, struct sock *sock)
{
	struct pid *pid = BPF_CORE_READ(sock, sk_peer_pid);
	struct sock *peer;

	f->kind = XP_FILE_UNIX;
	/* Of one that listens it is who made it listen. */
	if (pid && !f->listens)
		f->peer_pid = BPF_CORE_READ(pid, numbers[0].nr);
	if (!bpf_core_field_exists(((struct unix_sock *)0)->peer))
		return;
	f->local_port = unix__name(f->names, sock);
	peer = BPF_CORE_READ((struct unix_sock *)sock, peer);
	if (peer)
		f->peer_port = unix__name(f->names + XP_UNIX_BYTES, peer);
}

static __always_inline void wait_file__fill_socket(struct xp_wait_file *f, struct file *file)
{
	struct sock *sock = sock__of(file);

	f->kind = XP_FILE_SOCKET;
	if (!sock)
		return;
	f->family = BPF_CORE_READ(sock, __sk_common.skc_family);
	f->type = BPF_CORE_READ(sock, sk_type);
	f->protocol = BPF_CORE_READ(sock, sk_protocol);
	f->listens = BPF_CORE_READ(sock, __sk_common.skc_state) == TCP_LISTEN;
	if (f->family == AF_INET || f->family == AF_INET6)
		wait_file__fill_inet(f, sock);
	else if (f->family == AF_UNIX)
		wait_file__fill_unix(f, sock);
}

#endif
