/** Writing where others read: the engine, the hook, the program, the system; and asking the kernel for more rights. */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workspacePaths } from "#apps/provisioner/drivers/process/storage/workspace-paths.ts";
import { words, type Attack } from "../attack.ts";
import { processesOf } from "../scene/host-view.ts";
import { idOf, openInside } from "../scene/open-inside.ts";
import type { Scene } from "../scene/scene.ts";

const mark = "attacker-was-here";
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Folders that no workspace may write to, by the paths that it would use. */
function foreignFolders({ slipway, neighbour, attacker, enginesDir, inside }: Scene): string[] {
  const { data: _, ...around } = workspacePaths(join(slipway.dataDir, "workspaces"), attacker.workspaceId);
  return [
    "/usr/bin",
    "/usr/local/bin",
    "/etc",
    "/etc/cron.d",
    "/lib",
    "/opt",
    "/boot",
    "/root",
    "/var/spool/cron",
    "/var/lib",
    root,
    slipway.dataDir,
    join(slipway.dataDir, "workspaces"),
    join(slipway.dataDir, "backups"),
    neighbour.folder,
    around.root,
    around.run,
    around.logs,
    inside(enginesDir),
    inside(join(enginesDir, "hooks")),
  ];
}

/** Commands of a tenant who wants more rights; each must be refused, or do nothing. */
const greedy: readonly (readonly [what: string, command: string])[] = [
  ["mounts a file system", "mkdir -p m && mount -t tmpfs none m"],
  ["mounts a folder over another", "mkdir -p m && mount --bind /usr m"],
  ["changes its root", "mkdir -p m && chroot . /bin/true"],
  ["makes a block device", "mknod disk b 8 0"],
  ["makes a character device", "mknod mem c 1 1"],
  ["enters the host's namespaces", "nsenter -t 1 -m -n -p true"],
  ["makes a network device", "ip link add attack0 type dummy"],
  ["changes its address", "ip addr add 10.9.8.7/32 dev lo"],
  ["reads the firewall", "nft list ruleset | grep -q ."],
  ["changes the clock", "date -s '2001-01-01'"],
  ["changes a kernel setting", "echo 1 > /proc/sys/kernel/randomize_va_space"],
  ["chooses who gets core dumps", "echo '|/bin/sh' > /proc/sys/kernel/core_pattern"],
  ["presses SysRq", "echo h > /proc/sysrq-trigger"],
  ["spares itself from running out of memory", "echo -900 > /proc/self/oom_score_adj"],
  ["lifts its own bounds", "ulimit -u unlimited && ulimit -n 1048576"],
  ["raises its priority", "nice -n -10 sh -c '[ $(nice) -lt 0 ]'"],
  ["loads a BPF map", `perl -e '$a = pack("L5", 1, 4, 4, 1, 0) . "\\0" x 100; exit(syscall(321, 0, $a, 72) >= 0 ? 0 : 1)'`],
  ["opens a raw socket", "perl -e 'exit(socket(S, 17, 3, 768) ? 0 : 1)'"],
  ["loads a module", "modprobe dummy"],
  ["reads the kernel's log", "dmesg | grep -q ."],
  ["becomes another user", "setpriv --reuid=0 --clear-groups true || su -c true"],
  ["gains rights by a file of root's", "find /usr/bin -perm -4000 -name 'su' -exec sh -c 'echo | {} -c true' \\; | grep -q uid=0"],
];

/** The value of a setting on the host. */
function valueOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

export const writeOutside: readonly Attack[] = [
  {
    title: "writes into folders of the host, the program and its neighbour",
    means: "Execute Command, Read/Write Files from Disk",
    async run(scene) {
      const folders = foreignFolders(scene);
      const { text } = await scene.shell(folders.map((folder) => `touch '${folder}/${mark}'`).join("; "));
      for (const folder of folders.slice(-4)) await scene.runInside(scene.attacker, "write", { path: join(folder, mark), content: mark });
      const harms = folders.filter((folder) => existsSync(join(scene.onHost(folder), mark))).map((folder) => `${folder} was written to`);
      return { stoppedBy: words(text.split("\n").map((line) => line.split(": ").at(-1) ?? "")), harms };
    },
  },
  {
    title: "overwrites the hook file",
    means: "code in n8n, Execute Command",
    async run(scene) {
      const hooks = scene.inside(join(scene.enginesDir, "hooks"));
      const entry = String(await scene.script("return process.env.EXTERNAL_HOOK_FILES"));
      const entryOnHost = scene.onHost(entry);
      const before = readFileSync(entryOnHost, "utf8");
      const opened = await openInside(scene, [entry], "a");
      const { text } = await scene.shell(
        `echo ${mark} >> '${entry}'; chmod 777 '${entry}'; rm -f '${entry}'; mv '${hooks}' '${hooks}.gone'; cp /etc/hostname '${entry}'`,
      );
      const harms = existsSync(entryOnHost) && readFileSync(entryOnHost, "utf8") === before ? [] : ["the hook file is another one"];
      return {
        stoppedBy: words([...opened.map(({ code }) => code), ...text.split("\n").map((line) => line.split(": ").at(-1) ?? "")]),
        harms: [...harms, ...opened.filter(({ isHosts }) => isHosts).map(() => "the hook file was opened for writing")],
      };
    },
  },
  {
    title: "poisons the shared engine folder, its packages and its caches",
    means: "code in n8n, Execute Command",
    async run(scene) {
      const engine = String(await scene.script("return process.argv[1]")).replace(/\/node_modules\/n8n\/bin\/n8n$/, "");
      const prepared = scene.inside(join(scene.enginesDir, "prepared"));
      const hooks = scene.inside(join(scene.enginesDir, "hooks"));
      const files = [
        "node_modules/n8n/bin/n8n",
        "node_modules/n8n/package.json",
        "node_modules/n8n-core/package.json",
        "package.json",
        "package-lock.json",
      ].map((name) => join(engine, name));
      const opened = await openInside(scene, [...files, scene.inside(process.execPath)], "a");
      const { text } = await scene.shell(
        `find '${engine}' '${hooks}' -maxdepth 3 -writable ! -type l 2>/dev/null | head -5; find '${prepared}' -writable ! -type l 2>/dev/null | head -5; for place in '${prepared}'/*/*/*/*/; do touch "$place/${mark}"; done; touch '${engine}/${mark}' '${engine}/node_modules/${mark}' '${engine}/node_modules/.cache'`,
      );
      const writable = text.split("\n").filter((line) => line.startsWith("/"));
      const made = [join(engine, mark), join(engine, "node_modules", mark), join(engine, "node_modules/.cache")].filter((file) =>
        existsSync(scene.onHost(file)),
      );
      made.push(...globSync(join(scene.onHost(prepared), "*/*/*/*", mark)));
      const cache = await scene.script("return [process.env.NODE_COMPILE_CACHE, process.env.V8_COMPILE_CACHE_CACHE_DIR].filter(Boolean)");
      const foreign = (cache as string[]).filter((folder) => !folder.startsWith(scene.inside(scene.attacker.folder)));
      return {
        stoppedBy: words([
          ...opened.map(({ code }) => code),
          ...text
            .split("\n")
            .filter((line) => !line.startsWith("/"))
            .map((line) => line.split(": ").at(-1) ?? ""),
        ]),
        harms: [
          ...opened.filter(({ isHosts }) => isHosts).map(({ path }) => `${path} was opened for writing`),
          ...writable.map((path) => `${path} can be written`),
          ...made.map((path) => `${path} was made`),
          ...foreign.map((path) => `compiled code is shared in ${path}`),
        ],
      };
    },
  },
  {
    title: "leaves files in places that others share",
    means: "Execute Command",
    async run(scene) {
      const { text } = await scene.shell(
        "find / -maxdepth 4 \\( -path /proc -o -path /sys \\) -prune -o \\( -type f -o -type d \\) -writable -print 2>/dev/null | head -60",
      );
      const places = text.split("\n").filter((line) => line.startsWith("/") && !line.startsWith(scene.inside(scene.attacker.folder)));
      const opened = new Set(
        (await openInside(scene, places, "r")).filter(({ isHosts, keeps }) => isHosts && keeps).map(({ path }) => path),
      );
      return {
        stoppedBy: places.length === 0 ? "there is no such place" : "what it can write is its own copy",
        harms: places.filter((place) => opened.has(place) && idOf(scene.onHost(place))).map((place) => `${place} is shared`),
      };
    },
  },
  {
    title: "tries to gain rights from the kernel: mounts, devices, namespaces, settings, BPF, limits",
    means: "Execute Command",
    async run(scene) {
      const script = greedy.map(([what, command]) => `( ${command} ) </dev/null >/dev/null 2>&1 && echo 'SUCCEEDED ${what}'`).join("\n");
      const { text } = await scene.shell(`${script}\nrm -rf m disk mem`);
      const harms = [...text.matchAll(/SUCCEEDED (.*)/g)].map((match) => `it ${match[1]}`);
      return { stoppedBy: `${greedy.length - harms.length} of ${greedy.length} refused`, harms };
    },
  },
  {
    title: "changes settings of the kernel and of control groups",
    means: "Execute Command",
    async run(scene) {
      // The last process id changes constantly, and any user may open that file but not write to it.
      const { text } = await scene.shell("find /sys /proc/sys -type f -writable ! -name ns_last_pid 2>/dev/null");
      const files = text.split("\n").filter((line) => line.startsWith("/"));
      const before = new Map(files.map((file) => [file, valueOf(file)]));
      await scene.shell(files.map((file) => `value=$(cat '${file}') && echo $((value + 1)) > '${file}'`).join("\n"));
      const changed = [...before].filter(([file, value]) => valueOf(file) !== value);
      for (const [file, value] of changed) writeFileSync(file, value);
      return {
        stoppedBy: files.length === 0 ? "nothing there can be written" : `${files.length} can be written, in its own namespaces alone`,
        harms: changed.map(([file]) => `${file} of the host was changed`),
      };
    },
  },
  {
    title: "becomes root of a user namespace, and creates more namespaces in it",
    means: "Execute Command",
    async run(scene) {
      const tries = [
        "unshare --user --map-root-user true",
        "unshare --user --map-root-user --mount mount -t tmpfs none /tmp",
        "unshare --user --map-root-user --net true",
        "unshare --mount true",
      ];
      const { text } = await scene.shell(tries.map((command) => `${command} 2>&1 && echo 'SUCCEEDED ${command}'`).join("\n"));
      return {
        stoppedBy: words(
          text
            .split("\n")
            .filter((line) => !line.startsWith("SUCCEEDED"))
            .map((line) => line.split(": ").at(-1) ?? ""),
        ),
        harms: [...text.matchAll(/SUCCEEDED (.*)/g)].map((match) => `the kernel gave it: ${match[1]}`),
      };
    },
  },
  {
    title: "uses unprivileged kernel interfaces with a history of holes: io_uring, BPF, keys, traces, sockets to a machine's host",
    means: "Execute Command",
    async run(scene) {
      const { text } = await scene.shell(
        kernelParts(process.arch)
          .map(
            ([what, call]) =>
              `perl -e '$p = "\\0" x 256; $kind = "user"; $name = "slipway"; $map = pack("L4", 2, 4, 4, 1) . $p; $r = syscall(${call}); print $r >= 0 ? "SUCCEEDED ${what}\\n" : "$!\\n"' 2>&1`,
          )
          .join("\n"),
      );
      return {
        stoppedBy: words(text.split("\n").filter((line) => !line.startsWith("SUCCEEDED"))),
        harms: [...text.matchAll(/SUCCEEDED (.*)/g)].map((match) => `the kernel gave it ${match[1]}`),
      };
    },
  },
  {
    title: "puts setuid files on its disk and runs the system's",
    means: "Execute Command",
    async run(scene) {
      await scene.shell("cp /bin/sh sh && chmod 6755 sh; ./sh -pc id; rm -f sh");
      const processes = processesOf(scene.attacker.uid);
      const able = processes.filter(({ noNewPrivs, capabilities }) => !noNewPrivs || capabilities !== 0n);
      const devices = readdirSync(scene.attacker.folder, { withFileTypes: true }).filter(
        (entry) => entry.isBlockDevice() || entry.isCharacterDevice(),
      );
      const harms = [
        ...able.map(({ pid, command }) => `process ${pid} could gain rights: ${command.slice(0, 60)}`),
        ...devices.map(({ name }) => `${name} is a device`),
      ];
      return {
        stoppedBy: "no process of its own can gain rights",
        harms: processes.length > 0 ? harms : ["no process of the attacker was found to look at"],
      };
    },
  },
];

/** Calls that a user without rights may make, with arguments that the kernel accepts; `$p` is a buffer. */
function kernelParts(arch: string): [what: string, call: string][] {
  const [userfaultfd, addKey, keyctl, perf, bpf, socket] =
    arch === "arm64" ? [282, 217, 219, 241, 280, 198] : [323, 248, 250, 298, 321, 41];
  return [
    ["a ring of io_uring", "425, 8, $p"],
    ["faults of memory to handle", `${userfaultfd}, 1`],
    ["a key", `${addKey}, $kind, $name, $p, 6, -2`],
    ["a key ring", `${keyctl}, 0, -2, 1`],
    ["a counter of the processor", `${perf}, $p, 0, -1, -1, 0`],
    ["a map of BPF", `${bpf}, 0, $map, 72`],
    ["a socket to the host of this machine", `${socket}, 40, 1, 0`],
    ["a socket to the ciphers of the kernel", `${socket}, 38, 5, 0`],
    ["a socket to the firewall of the kernel", `${socket}, 16, 3, 12`],
  ];
}
