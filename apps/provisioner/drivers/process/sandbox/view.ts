/** What a workspace sees of this host: a few folders, read-only, and its own data. Everything else does not exist for it. */
import type { HostPlaces } from "../../container/launch-order.ts";
import { placeFile } from "./place-file.ts";
import { rootFolders } from "./root-folders.ts";
import type { SandboxTools } from "./sandbox-tools.ts";
import { systemCallFilter } from "./system-calls.ts";
import { dataInView, placesInView } from "./view-places.ts";

const temporaryBytes = String(256 * 1024 * 1024);

/**
 * Arguments: 1 the filter of system calls, which bubblewrap needs as an open file, then the command. If it cannot be opened, the shell ends
 * and nothing is started.
 */
const filterScript = 'exec 9< "$1"; shift; exec "$@"';

/** What workspaces may read besides the system's programs. */
export interface Readable {
  /** Shown at places that are the same on every host. */
  places: HostPlaces | undefined;
  /** Shown where they are. */
  paths: readonly string[];
}

/** The data of one workspace. */
export interface ViewedData {
  /** Its folder on this host. */
  data: string;
  /** Whether the workspace's files may name that folder, because it ran under this path before. */
  isKnown: boolean;
}

/**
 * Places the files that views share. The function returned gives the command before a workspace's own, run as its user.
 *
 * @param shared the folder for these files
 * @param resolverFile their resolv.conf
 */
export function openView(
  { bwrap }: SandboxTools,
  shared: string,
  readable: Readable,
  resolverFile: string,
): (data: ViewedData) => string[] {
  const etc = [...placeEtc(shared), [resolverFile, "/etc/resolv.conf"] as const];
  const filter = placeFile(shared, "system-calls", systemCallFilter(process.arch));
  const confined = ["/bin/sh", "-c", filterScript, "sh", filter, bwrap, "--seccomp", "9"];
  return (data) => [...confined, ...viewArguments(data, readable, etc)];
}

/** The settings of the host that programs need, without any that reveal the host; missing ones are left out. */
const sharedEtc = [
  "ssl",
  "ca-certificates",
  "pki",
  "crypto-policies",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "alternatives",
  "fonts",
  "localtime",
  "mime.types",
  "services",
  "protocols",
];

function viewArguments(
  { data, isKnown }: ViewedData,
  { places, paths }: Readable,
  etc: readonly (readonly [file: string, place: string])[],
): string[] {
  return [
    // A namespace without any rights, in which no further namespaces can be made.
    "--unshare-user",
    "--disable-userns",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--hostname",
    "workspace",
    "--ro-bind",
    "/usr",
    "/usr",
    ...rootFolders(),
    ...sharedEtc.flatMap((name) => ["--ro-bind-try", `/etc/${name}`, `/etc/${name}`]),
    ...etc.flatMap(([file, place]) => ["--ro-bind", file, place]),
    // Hides how the host was started.
    "--proc",
    "/proc",
    "--ro-bind",
    "/dev/null",
    "/proc/cmdline",
    "--dev",
    "/dev",
    "--size",
    temporaryBytes,
    "--perms",
    "1777",
    "--tmpfs",
    "/dev/shm",
    "--remount-ro",
    "/dev",
    "--size",
    temporaryBytes,
    "--perms",
    "1777",
    "--tmpfs",
    "/tmp",
    "--symlink",
    "/tmp",
    "/var/tmp",
    "--dir",
    "/run",
    ...paths.flatMap((place) => ["--ro-bind-try", place, place]),
    ...(places ? bindPlaces(places) : []),
    "--bind",
    data,
    dataInView,
    // n8n and Node-RED follow the link before they check a path.
    ...(isKnown ? ["--symlink", dataInView, data] : []),
    "--chdir",
    dataInView,
    "--remount-ro",
    "/",
    "--",
  ];
}

function bindPlaces(places: HostPlaces): string[] {
  const { enginesDir, nodeBinary } = placesInView(places);
  const binds = [[places.enginesDir, enginesDir] as const, [places.nodeBinary, nodeBinary] as const];
  return binds.filter(([, to]) => !to.startsWith("/usr/")).flatMap(([from, to]) => ["--ro-bind-try", from, to]);
}

/** The few files of /etc that workspaces get instead of the host's. */
function placeEtc(folder: string): (readonly [string, string])[] {
  const files = {
    hosts: "127.0.0.1 localhost workspace\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    passwd: "root:x:0:0:root:/:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n",
    group: "root:x:0:\nnogroup:x:65534:\n",
  };
  return Object.entries(files).map(([name, content]) => [placeFile(folder, name, content), `/etc/${name}`] as const);
}
