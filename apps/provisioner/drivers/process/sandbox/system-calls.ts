/**
 * Which system calls a workspace may make. It shares the kernel with its neighbours, so calls that it does not need are blocked: the parts
 * of the kernel with the most vulnerabilities, and calls that would be refused anyway for lack of privileges. In the format of seccomp(2).
 */

import { allow, assemble, callNumbers, errors, ifAbove, ifAnyBit, ifOneOf, load, offsets, refuse, unlessOneOf } from "./filter-program.ts";

/** By name, the numbers on x86-64 and on arm64, from the kernel's own `asm/unistd_64.h` and `asm-generic/unistd.h`; null if it has none. */
type Numbers = readonly [x64: number, arm64: number | null];

/** Answered with "not permitted". Close to what Docker refuses to unprivileged containers, plus io_uring, ptrace and vmsplice. */
export const refusedCalls: Readonly<Record<string, Numbers>> = {
  // Mounts, roots and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  unshare: [272, 97],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Large and recent, or old and hardly maintained.
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  fanotify_init: [300, 262],
  vmsplice: [278, 75],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  modify_ldt: [154, null],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
  _sysctl: [156, null],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  // The host as a whole.
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  vhangup: [153, 58],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  iopl: [172, null],
  ioperm: [173, null],
};

/** The newest call we know (fchmodat2, Linux 6.6). Newer calls fail as on an older kernel, and programs do without them. */
const newestCall = 452;
/** Its flags are in memory, where no filter sees them. Programs fall back to clone(2). */
const clone3 = 435;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of linux/sched.h. */
const newNamespaces = 0x7e02_0000;
/** TIOCSTI types into a terminal, TIOCLINUX into the console. */
const terminalRequests = [0x5412, 0x541c];
/** AF_UNIX, AF_INET and AF_INET6. Not AF_VSOCK, which network namespaces do not confine and which leads to a virtual machine's host. */
const socketFamilies = [1, 2, 10];
/** AF_NETLINK only for NETLINK_ROUTE, which programs use to read their addresses. */
const netlink = { family: 16, protocols: [0] } as const;

/** The filter for this architecture, in the form of bubblewrap's `--seccomp`. Throws if the architecture is unknown. */
export function systemCallFilter(arch: string): Buffer {
  const { audit, column, clone, ioctl, socket, socketpair } = callNumbers(arch);
  const refused = Object.values(refusedCalls).flatMap((numbers) => numbers[column] ?? []);
  return assemble([
    load(offsets.architecture),
    ...unlessOneOf([audit], refuse(errors.noSuchCall)),
    load(offsets.number),
    ...ifAbove(newestCall, refuse(errors.noSuchCall)),
    ...ifOneOf([clone3], [refuse(errors.noSuchCall)]),
    ...ifOneOf(refused, [refuse(errors.notPermitted)]),
    ...ifOneOf([clone], [load(offsets.argument(0)), ...ifAnyBit(newNamespaces, refuse(errors.notPermitted)), allow]),
    ...ifOneOf([ioctl], [load(offsets.argument(1)), ...ifOneOf(terminalRequests, [refuse(errors.notPermitted)]), allow]),
    ...ifOneOf(
      [socket, socketpair],
      [
        load(offsets.argument(0)),
        ...ifOneOf([netlink.family], [load(offsets.argument(2)), ...unlessOneOf(netlink.protocols, refuse(errors.noSuchProtocol)), allow]),
        ...unlessOneOf(socketFamilies, refuse(errors.noSuchFamily)),
        allow,
      ],
    ),
    allow,
  ]);
}
