// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/** Names of the kernel's error numbers, which are the same on x86 and Arm. */
public final class ErrorNumber {
    /** From 1 on; "-" where there is none. As in the kernel's include/uapi/asm-generic/errno-base.h and errno.h. */
    private static final String[] NAMES = """
            EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK
            EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE
            EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP - ENOMSG EIDRM
            ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT
            - EBFONT ENOSTR ENODATA ETIME ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP
            EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC EILSEQ
            ERESTART ESTRPIPE EUSERS ENOTSOCK EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT
            ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE EADDRNOTAVAIL ENETDOWN ENETUNREACH
            ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT
            ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM ENAVAIL EISNAM
            EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED
            EOWNERDEAD ENOTRECOVERABLE ERFKILL EHWPOISON
            """.split("\\s+");
    /**
     * What the kernel returns within itself when a signal interrupts a call: it is made anew, or returns EINTR to the program. As
     * in its include/linux/errno.h; strace and perf show them by these names.
     */
    private static final String[] RESTARTS = {"ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND", "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK"};
    private static final int FIRST_RESTART = 512;

    private ErrorNumber() {
    }

    /** "ENOENT" for 2; "error 4000" for one without a name, and "unknown" for 0. */
    public static String name(int number) {
        if (number == 0) {
            return "unknown";
        }
        if (number >= 1 && number <= NAMES.length && !NAMES[number - 1].equals("-")) {
            return NAMES[number - 1];
        }
        int restart = number - FIRST_RESTART;
        return restart >= 0 && restart < RESTARTS.length ? RESTARTS[restart] : "error " + number;
    }
}
