/**
 * What a sandbox prevents, tried from inside by a workspace that runs any command. Without sandboxes on this host, the tests check that
 * instead.
 */
// oxlint-disable vitest/no-conditional-expect -- what can be promised depends on whether this host can keep tenants apart.
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { systemClock } from "#platform/clock.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { startInternet } from "#testing/network/start-internet.ts";
import type { RunSpec } from "../../driver.ts";
import { makeProcessHarness, type ProcessHarness } from "#testing/drivers/process-harness.ts";
import { workspacePaths } from "../storage/workspace-paths.ts";
import { processorTime, writeSpeed } from "./control-groups/limits.ts";
import { openFilesFor } from "./file-table.ts";
import { firewallRules, usualNetworkPolicy } from "./network/firewall.ts";
import { networkName, workspaceNetwork } from "./network/network.ts";
import { findSandboxTools } from "./sandbox-tools.ts";
import { refusedCalls, systemCallFilter } from "./system-calls.ts";

/** The same rules as all installations use: a host has one set of them. */
const limits = { cpus: 0.5, diskMb: 256, network: usualNetworkPolicy };
const mebibyte = 1024 * 1024;
/** A clone in a folder closed to other users, such as /root, has no Node that a workspace could run. */
const isClosed = (reason: string | undefined): boolean => reason?.startsWith("other users cannot enter") === true;
const isRootOnDebian = process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

let harness: ProcessHarness;
let aheadMs = 0;
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
beforeAll(async () => void (harness = await makeProcessHarness({ limits, clock })));
afterAll(() => harness.close());

/** Runs `use` with a new running workspace. */
async function withWorkspace(use: (spec: RunSpec) => Promise<void>, overrides: Partial<RunSpec> = {}): Promise<void> {
  const spec = buildRunSpec(harness.command, overrides);
  try {
    await harness.driver.ensure(spec);
    await use(spec);
  } finally {
    await harness.driver.remove(spec.workspaceId);
  }
}

const run = (spec: RunSpec, script: string) =>
  harness.act(spec.workspaceId, "run", { script }) as Promise<{ output: string; code: number | null }>;
const connect = (spec: RunSpec, host: string, port: number) => harness.act(spec.workspaceId, "connect", { host, port });

test("as root on Debian, workspaces are isolated; otherwise the reason is given", () => {
  const { isolated, reason } = harness.driver.isolation;
  if (isRootOnDebian && !isClosed(reason)) expect(reason).toBeUndefined();
  expect(isolated).toBe(reason === undefined);
});

test("the rules refuse every address that is not public, except the name servers", () => {
  const rules = firewallRules(["10.1.2.3", "2001:db8::1"], usualNetworkPolicy, true);
  expect(rules).toContain("ip daddr { 10.1.2.3 } meta l4proto { tcp, udp } th dport 53 accept");
  for (const block of [
    "10.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "168.63.129.16/32",
  ])
    expect(rules).toContain(block);
  expect(rules).toContain("chain guard");
  expect(rules).toContain("tcp dport { 25 } goto refuse");
  expect(firewallRules([], { ...usualNetworkPolicy, closedPorts: [] }, false)).not.toMatch(/dport 53|dport \{ 25|chain guard/);
});

test("a process may open as many files as its share of the host's table, within fixed limits", () => {
  expect([Infinity, 2_400_000, 100_000].map((size) => openFilesFor(480, size))).toEqual([16_384, 2_500, 1_024]);
});

test("a processor with unknown system calls does not get another's filter", () => {
  expect(() => systemCallFilter("riscv64")).toThrow("not known");
  expect(systemCallFilter("arm64")).not.toEqual(systemCallFilter("x64"));
});

describe("from inside a sandbox", () => {
  test("only its own processes, users and files and the system's programs are visible", () =>
    within(async (spec) => {
      const { output } = await run(
        spec,
        "ls /proc | grep -c '^[0-9]'; cat /etc/shadow /proc/1/environ; echo kernel:$(cat /proc/cmdline):; ls /root /home /var/lib; ls -A /etc /run /tmp; hostname; ls /work 2>&1; touch /usr/x /etc/x /x",
      );
      // bubblewrap, the workspace, sh, ls and grep.
      expect(Number(output.split("\n")[0])).toBeLessThanOrEqual(6);
      expect(output).not.toContain("root:*:");
      expect(output).toContain("kernel::");
      for (const place of ["/root", "/home", "/var/lib"])
        expect(output).toMatch(new RegExp(`cannot access '${place}'|${place}: No such file`));
      expect(output.match(/Read-only file system/g)).toHaveLength(3);
      const { workspaceId } = spec;
      expect(
        (await run(spec, `ls -A '${harness.workspacesDir}' '${workspacePaths(harness.workspacesDir, workspaceId).root}'`)).output,
      ).not.toMatch(/run|logs|disk|\.first-uid/);
    }));

  test("its paths and environment name neither the host's folder of workspaces nor its id, and its mounts not the id", () =>
    within(async (spec) => {
      const { data } = workspacePaths(harness.workspacesDir, spec.workspaceId);
      const { output } = await run(spec, `pwd; env; find / -not -path '/proc/*' -not -path '/usr/*' 2>/dev/null`);
      expect(output).toMatch(/^\/data\n/);
      expect(output).toContain("HOME=/data\n");
      expect(output).not.toContain(harness.workspacesDir);
      const mounts = await run(spec, "cat /proc/self/mountinfo");
      expect(mounts.output).toContain(" / /data ");
      for (const said of [output, mounts.output]) expect(said).not.toContain(spec.workspaceId);
      expect((await run(spec, `ls -d '${data}'`)).output).toContain("No such file");
    }));

  test("one that ran under its path on the host before still finds its files by it", () =>
    within(async () => {
      const spec = buildRunSpec(harness.command);
      const { data } = workspacePaths(harness.workspacesDir, spec.workspaceId);
      mkdirSync(data, { recursive: true });
      writeFileSync(path.join(data, "old.txt"), "from before");
      try {
        for (const generation of [1, 2]) {
          await harness.driver.ensure({ ...spec, generation });
          const { output } = await run(spec, `cat '${data}/old.txt'; echo; echo ${generation} > '${data}/new.txt'; cat /data/new.txt; pwd`);
          expect(output).toBe(`from before\n${generation}\n/data\n`);
        }
      } finally {
        await harness.driver.remove(spec.workspaceId);
      }
    }));

  test("no privileges can be gained: no namespace, no mount, no device, no program that changes user", () =>
    within(async (spec) => {
      const { output } = await run(
        spec,
        "unshare -U true; unshare -n true; mount -t tmpfs none /tmp; mknod x b 8 0; cp /usr/bin/id id && chmod u+s id && ./id -u; su -c id; grep Cap /proc/self/status; echo 1 > /proc/sys/kernel/panic; ls /sys",
      );
      expect(output.match(/unshare failed/g)).toHaveLength(2);
      expect(output).toMatch(/mount: .*(denied|permitted|superuser)/);
      expect(output).toMatch(/mknod: .*not permitted/);
      expect(output.match(/^Cap\w+:\t0+$/gm)).toHaveLength(5);
      expect(output).not.toMatch(/^0$|uid=0/m);
    }));

  test("each system call that it does not need is refused, and those that it needs are not", () =>
    within(async (spec) => {
      const column = process.arch === "arm64" ? 1 : 0;
      const numbers = Object.entries(refusedCalls).flatMap(([name, each]) =>
        each[column] === null ? [] : [[name, each[column]] as const],
      );
      const [clone, ioctl, socket] = process.arch === "arm64" ? [220, 29, 198] : [56, 16, 41];
      const tries: (readonly [name: string, numbers: readonly number[]])[] = [
        ...numbers.map(([name, number]) => [name, [number, -1, -1, -1, -1, -1]] as const),
        ["clone3", [435, 0, 0]],
        ["a call of tomorrow", [600]],
        ["a call of x32", [0x4000_0000 + 39]],
        ["clone into a user namespace", [clone, 0x1000_0011, 0]],
        ["typing into a terminal", [ioctl, 0, 0x5412, 0]],
        ["typing, with bits above", [ioctl, 0, 2 ** 32 + 0x5412, 0]],
        ...[38, 40, 17, 44, 21].map((family) => [`socket of family ${family}`, [socket, family, 2, 0]] as const),
        ...[1, 2, 10, 16].map((family) => [`socket of family ${family}, which is used`, [socket, family, 2, 0]] as const),
        ["netlink to the firewall", [socket, 16, 3, 12]],
      ];
      const script = tries
        .map(([name, each]) => `$! = 0; my $r = syscall(${each.join(", ")}); printf("%s: %s\n", "${name}", $r >= 0 ? "done" : $!+0);`)
        .join("");
      const { output } = await run(spec, `perl -e '${script}'; grep ^Seccomp: /proc/self/status`);
      const said = new Map(
        output
          .trim()
          .split("\n")
          .map((line) => line.split(/:\s+/) as [string, string]),
      );
      for (const [name] of numbers) expect(said.get(name), name).toBe("1");
      for (const name of ["clone3", "a call of tomorrow", "a call of x32"]) expect(said.get(name), name).toBe("38");
      for (const name of ["clone into a user namespace", "typing into a terminal", "typing, with bits above"])
        expect(said.get(name), name).toBe("1");
      expect(said.get("netlink to the firewall")).toBe("93");
      for (const [name] of tries.slice(-10, -1)) expect(said.get(name), name).toBe(name.endsWith("used") ? "done" : "97");
      expect(said.get("Seccomp")).toBe("2");
    }));

  test("the host, neighbours and private addresses are unreachable", () =>
    within(async (spec) => {
      const servers = await Promise.all(["127.0.0.1", "0.0.0.0"].map(listen));
      const neighbour = buildRunSpec(harness.command);
      const [address, port] = (await harness.driver.ensure(neighbour)).address!.split(":") as [string, string];
      await harness.report(neighbour.workspaceId);
      try {
        const ports = servers.map((server) => (server.address() as AddressInfo).port);
        const ofTheHost = [
          "127.0.0.1",
          "198.18.0.1",
          ...Object.values(networkInterfaces()).flatMap((each) =>
            each!.filter(({ family }) => family === "IPv4").map((own) => own.address),
          ),
        ];
        const places = [
          ...ofTheHost.flatMap((host) => ports.map((each) => [host, each] as const)),
          [address, Number(port)] as const,
          ["169.254.169.254", 80] as const,
          ["10.0.0.1", 80] as const,
          ["::1", ports[1]!] as const,
          ["fd00::2", ports[1]!] as const,
        ];
        for (const [host, each] of places)
          await expect(connect(spec, host, each), `${host}:${each}`).rejects.toThrow(
            /ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES|ETIMEDOUT/,
          );
      } finally {
        for (const server of servers) server.close();
        await harness.driver.remove(neighbour.workspaceId);
      }
    }));

  test("its interface has no address on the host, since a new address makes the host's browsers abort what they load", () =>
    within(async (spec) => {
      const { uid } = await harness.report(spec.workspaceId);
      const addresses = execFileSync("ip", ["-o", "address"], { encoding: "utf8" });
      expect(addresses).toContain(workspaceNetwork.host);
      expect(addresses).not.toContain(networkName(uid!));
    }));

  test("the internet is reachable", () =>
    within(async (spec) => {
      const internet = startInternet();
      try {
        await vi.waitFor(() => expect(connect(spec, internet.host, internet.port)).resolves.toEqual({ connected: true }), {
          timeout: 60_000,
        });
      } finally {
        internet.stop();
      }
    }));

  test("mail between servers is refused, and the limit of new connections per second applies to each workspace alone", () =>
    within(
      async (spec) => {
        const internet = startInternet();
        try {
          await vi.waitFor(() => expect(connect(spec, internet.host, internet.port)).resolves.toEqual({ connected: true }), {
            timeout: 60_000,
          });
          await vi.waitFor(
            async () => {
              // Another program's start on this host may have replaced the rules a moment ago.
              harness.restarted();
              await expect(connect(spec, internet.host, 25)).rejects.toThrow("ECONNREFUSED");
            },
            { timeout: 60_000 },
          );
          const { output } = await run(
            spec,
            `node=$(readlink /proc/$PPID/exe); "$node" -e '
        const ended = { open: 0, ECONNREFUSED: 0 };
        for (let at = 0; at < 4000; at += 1) require("node:net").connect(${internet.port}, "${internet.host}").on("connect", () => (ended.open += 1)).on("error", ({ code }) => (ended[code] += 1));
        setTimeout(() => process.exit(), 20000).unref();
        process.on("exit", () => console.log(JSON.stringify(ended)));'`,
          );
          const ended = JSON.parse(output) as { open: number; ECONNREFUSED: number };
          // A thousand may be new at the same time; some meet the server's own full queue, are retried a second later, and are then
          // refused.
          expect(ended.open).toBeGreaterThan(400);
          expect(ended.ECONNREFUSED).toBeGreaterThan(500);
          const neighbour = buildRunSpec(harness.command);
          await harness.driver.ensure(neighbour);
          await vi.waitFor(() => expect(connect(neighbour, internet.host, internet.port)).resolves.toEqual({ connected: true }), 60_000);
          await harness.driver.remove(neighbour.workspaceId);
        } finally {
          internet.stop();
        }
      },
      { memoryMb: 512 },
    ));

  test("all its processes together may open fewer files than the host's table holds", () =>
    within(async (spec) => {
      const { output } = await run(
        spec,
        "sed -n 's/^Max \\(open files\\|processes\\) *\\([0-9]*\\) .*/\\2/p' /proc/self/limits; cat /proc/sys/fs/file-max",
      );
      const [processes, files, table] = output.trim().split("\n").map(Number) as [number, number, number];
      expect(files).toBeGreaterThanOrEqual(1_024);
      expect(files * processes).toBeLessThan(table);
    }));

  test("memory stops at the limit, and the exit is recorded as out of memory", () =>
    within(async (spec) => {
      await harness.act(spec.workspaceId, "eat");
      const exit = { code: null, signal: "SIGKILL", outOfMemory: true };
      await vi.waitFor(async () => expect(await harness.driver.observe(spec.workspaceId)).toMatchObject({ state: "stopped", exit }), {
        timeout: 30_000,
      });
    }));

  test("a fork bomb stays within its number of processes, and ends with the workspace", () =>
    within(async (spec) => {
      const { uid } = await harness.report(spec.workspaceId);
      await run(spec, "for i in $(seq 1500); do sleep 60 & done 2>/dev/null >/dev/null; true").catch(() => undefined);
      const processes = (): number =>
        Number(
          execFileSync("/bin/sh", ["-c", `cat /proc/[0-9]*/status 2>/dev/null | grep -c '^Uid:.${uid}' || true`], { encoding: "utf8" }),
        );
      expect(processes()).toBeGreaterThan(100);
      expect(processes()).toBeLessThanOrEqual(520);
      await harness.driver.ensure({ ...spec, run: false });
      // The last of them are listed until their parent is told of their end.
      await vi.waitFor(() => expect(processes()).toBe(0), { timeout: 60_000 });
    }));

  test("processor time is limited after the start, however many threads want it", () =>
    within(async (spec) => {
      aheadMs += 61_000;
      await usesItsBoundAlone(spec);
    }));

  test("processor time is limited as soon as it answers", () =>
    within(async (spec) => {
      harness.driver.endStart?.(spec.workspaceId);
      await usesItsBoundAlone(spec);
    }));

  test("the speed of writing to a disk is limited", () =>
    within(
      async (spec) => {
        const speed = writeSpeed(findSandboxTools().tools!.controllers, 0);
        const { output } = await run(spec, "dd if=/dev/zero of=big bs=1M count=200 conv=fsync 2>&1 | tail -1; rm big");
        const seconds = Number(/, ([\d.]+) s,/.exec(output)![1]);
        if (speed && existsSync(speed.file)) expect(seconds).toBeGreaterThan(1.5);
        else expect(seconds).toBeGreaterThan(0);
      },
      { memoryMb: 512 },
    ));

  test("storage is limited in bytes and in files, for each workspace alone", () =>
    within(
      async (spec) => {
        const paths = workspacePaths(harness.workspacesDir, spec.workspaceId);
        const { output } = await run(
          spec,
          "dd if=/dev/zero of=big bs=1M count=400 2>&1; i=0; while mkdir d$i 2>/dev/null; do i=$((i+1)); [ $i -lt 2000 ] || break; done; df -i . | tail -1; rm big; dd if=/dev/zero of=/tmp/big bs=1M count=300 2>&1",
        );
        expect(output.match(/No space left on device/g)!.length).toBeGreaterThanOrEqual(1);
        expect(statSync(paths.disk).blocks * 512).toBeLessThanOrEqual(limits.diskMb * mebibyte * 1.05);
        expect(statSync(paths.disk).size).toBe(limits.diskMb * mebibyte);
        expect((await run(spec, "echo again > again && cat again")).output).toBe("again\n");
      },
      { memoryMb: 512 },
    ));
});

async function usesItsBoundAlone(spec: RunSpec): Promise<void> {
  const { uid } = await harness.report(spec.workspaceId);
  const [file, bound] = processorTime(findSandboxTools().tools!.controllers, networkName(uid), limits.cpus);
  await expect.poll(() => parseInt(readFileSync(file, "utf8")), { timeout: 60_000 }).toBeLessThanOrEqual(parseInt(bound));
  // Half a second of processor time for each of three programs, which a busy host gives later.
  const busy =
    'node=$(readlink /proc/$PPID/exe); began=$(date +%s%3N); for i in 1 2 3; do "$node" -e "while (process.cpuUsage().user + process.cpuUsage().system < 5e5);" & done; wait; echo $(($(date +%s%3N) - began))';
  const { output, code } = await run(spec, busy);
  expect(code).toBe(0);
  // Three seconds at half a processor. Two processors would take a quarter of that.
  expect(Number(output)).toBeGreaterThan(2_400);
}

/** Like `withWorkspace`, if this host has sandboxes. */
async function within(use: (spec: RunSpec) => Promise<void>, overrides?: Partial<RunSpec>): Promise<void> {
  if (harness.driver.isolation.isolated) await withWorkspace(use, overrides);
  else expect(harness.driver.isolation.reason).toMatch(/\w+ \w+/);
}

describe("a workspace's disk", () => {
  test("takes over what a workspace stored before it had a disk", () =>
    onDisks(async () => {
      const spec = buildRunSpec(harness.command);
      const paths = workspacePaths(harness.workspacesDir, spec.workspaceId);
      mkdirSync(path.join(paths.data, "things"), { recursive: true });
      writeFileSync(path.join(paths.data, "things", "old.txt"), "from before");
      for (const each of [paths.data, path.join(paths.data, "things"), path.join(paths.data, "things", "old.txt")])
        chownSync(each, 345_678, 345_678);
      // As if a start had been interrupted during the copy.
      writeFileSync(`${paths.disk}.new`, "half of a disk");
      await harness.driver.ensure(spec);
      expect(await harness.stored(spec.workspaceId, "things/old.txt")).toBe("from before");
      await harness.store(spec.workspaceId, "things/old.txt", "changed");
      expect(existsSync(paths.disk)).toBe(true);
      for (const left of [`${paths.disk}.new`, `${paths.data}.old`, `${paths.data}.new`]) expect(existsSync(left)).toBe(false);
      await harness.driver.remove(spec.workspaceId);
    }));

  test("is mounted again after a restart of the host, even only for reading", () =>
    onDisks(async () => {
      const spec = buildRunSpec(harness.command);
      await harness.driver.ensure(spec);
      await harness.store(spec.workspaceId, "kept.txt", "kept");
      await harness.driver.stopAll();
      expect(existsSync(path.join(workspacePaths(harness.workspacesDir, spec.workspaceId).data, "kept.txt"))).toBe(false);
      expect((await buffer(await harness.restarted().readStorage(spec, ["kept.txt"]))).toString()).toContain("kept");
      await harness.driver.ensure(spec);
      expect(await harness.stored(spec.workspaceId, "kept.txt")).toBe("kept");
      await harness.driver.remove(spec.workspaceId);
    }));

  test("grows when workspaces may store more, and does not shrink", () =>
    onDisks(async () => {
      const spec = buildRunSpec(harness.command);
      const { disk } = workspacePaths(harness.workspacesDir, spec.workspaceId);
      await harness.driver.ensure({ ...spec, run: false });
      const larger = await makeProcessHarness({ workspacesDir: harness.workspacesDir, limits: { ...limits, diskMb: 400 } });
      await larger.driver.ensure(spec);
      expect(statSync(disk).size).toBe(400 * mebibyte);
      await larger.driver.ensure({ ...spec, run: false });
      await harness.driver.ensure(spec);
      expect(statSync(disk).size).toBe(400 * mebibyte);
      expect(Number((await run(spec, "df -Pm . | tail -1 | awk '{print $2}'")).output)).toBeGreaterThan(330);
      await harness.driver.remove(spec.workspaceId);
    }));
});

async function onDisks(check: () => Promise<void>): Promise<void> {
  if (harness.driver.isolation.isolated) await check();
  else expect(harness.driver.isolation.reason).toMatch(/\w+ \w+/);
}

function listen(host: string): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end()).listen(0, host, () => resolve(server));
  });
}
