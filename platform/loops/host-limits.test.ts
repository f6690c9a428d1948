import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readHostMemory, readProcessors, type HostFiles } from "./host-limits.ts";

const mb = 1024 ** 2;
const folder = mkdtempSync(join(tmpdir(), "slipway-host-limits-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A host of 64 GB with 40 GB available and 8 GB of swap, of which 6 GB are free, and these files below /sys/fs/cgroup. */
function host(files: Record<string, string | number>): HostFiles {
  const groups = mkdtempSync(join(folder, "groups-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(groups, name)), { recursive: true });
    writeFileSync(join(groups, name), `${text}\n`);
  }
  const meminfo = join(groups, "meminfo");
  const lines = { MemTotal: 65_536, MemAvailable: 40_960, SwapTotal: 8_192, SwapFree: 6_144 };
  writeFileSync(
    meminfo,
    Object.entries(lines)
      .map(([name, value]) => `${name}:   ${value * 1024} kB\n`)
      .join(""),
  );
  return { meminfo, groups };
}

const wholeHost = { totalMb: 65_536, availableMb: 40_960, swapMb: 8_192, freeSwapMb: 6_144 };

test("without a container the host's own figures count, whichever version of control groups it has", () => {
  expect(readHostMemory(host({}))).toEqual(wholeHost);
  expect(readHostMemory(host({ "cgroup.controllers": "cpu memory pids" }))).toEqual(wholeHost);
  const unlimited = "9223372036854771712";
  const version1 = {
    "memory/memory.limit_in_bytes": unlimited,
    "memory/memory.usage_in_bytes": 30_000 * mb,
    "memory/memory.memsw.limit_in_bytes": unlimited,
    "memory/memory.memsw.usage_in_bytes": 30_000 * mb,
  };
  expect(readHostMemory(host(version1))).toEqual(wholeHost);
});

test("in a container its limits count if they are smaller, and reclaimable file pages count as available", () => {
  const version2 = {
    "cgroup.controllers": "cpu memory pids",
    "memory.max": 4_096 * mb,
    "memory.current": 4_000 * mb,
    "memory.stat": `anon 5\ninactive_file ${60 * mb}\nactive_file ${40 * mb}`,
    "memory.swap.max": 1_024 * mb,
    "memory.swap.current": 1_000 * mb,
  };
  expect(readHostMemory(host(version2))).toEqual({ totalMb: 4_096, availableMb: 196, swapMb: 1_024, freeSwapMb: 24 });
  expect(readHostMemory(host({ ...version2, "memory.max": "max", "memory.swap.max": "max" }))).toEqual(wholeHost);
  const version1 = {
    "memory/memory.limit_in_bytes": 4_096 * mb,
    "memory/memory.usage_in_bytes": 4_000 * mb,
    "memory/memory.stat": `inactive_file 7\nactive_file 7\ntotal_inactive_file ${60 * mb}\ntotal_active_file ${40 * mb}`,
    "memory/memory.memsw.limit_in_bytes": 5_120 * mb,
    "memory/memory.memsw.usage_in_bytes": 5_000 * mb,
  };
  expect(readHostMemory(host(version1))).toEqual({ totalMb: 4_096, availableMb: 196, swapMb: 1_024, freeSwapMb: 24 });
});

test("a container's share of the processors counts, with the time it has used of it", () => {
  expect(readProcessors(host({})).count).toBe(availableParallelism());
  expect(readProcessors(host({ "cpu.max": "max 100000" })).count).toBe(availableParallelism());
  const version2 = host({ "cpu.max": "50000 100000", "cpu.stat": "usage_usec 7500000\nuser_usec 1" });
  expect(readProcessors(version2)).toMatchObject({ count: 0.5, busyMs: 7_500 });
  const version1 = { "cpu/cpu.cfs_quota_us": "50000", "cpu/cpu.cfs_period_us": "100000", "cpuacct/cpuacct.usage": 7.5e9 };
  expect(readProcessors(host(version1))).toMatchObject({ count: 0.5, busyMs: 7_500 });
});
