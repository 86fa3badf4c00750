/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs read of sockets, mounts and epolls, as kernel-types.h has the rest. */
#ifndef KVIEW_FILE_TYPES_H
#define KVIEW_FILE_TYPES_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct in6_addr {
};

struct sock_common {
	__u64 skc_addrpair;		/* of IPv4: the peer's address, and behind it its own */
	__u32 skc_portpair;		/* the peer's port, and behind it its own */
	__u16 skc_dport;		/* as on the wire */
	__u16 skc_num;
	unsigned short skc_family;
	volatile unsigned char skc_state;
	struct in6_addr skc_v6_daddr;	/* with CONFIG_IPV6 */
	struct in6_addr skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type;
	__u16 sk_protocol;
	struct pid *sk_peer_pid;
};

struct socket {
	struct sock *sk;
};

struct sockaddr_un {
};

struct unix_address {
	int len;
	struct sockaddr_un name[0];
};

struct unix_sock {			/* with CONFIG_UNIX */
	struct unix_address *addr;
	struct sock *peer;
};

struct rb_node {
	unsigned long __rb_parent_color;
	struct rb_node *rb_right;
	struct rb_node *rb_left;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct rb_root_cached {
	struct rb_root rb_root;
};

struct epoll_filefd {
	struct file *file;
};

struct epitem {
	struct rb_node rbn;
	struct epoll_filefd ffd;
};

struct eventpoll {			/* with CONFIG_EPOLL */
	struct rb_root_cached rbr;
};

#pragma clang attribute pop

#endif
