/** Boots a newly installed release and runs every check of its suites. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { openEngineScene } from "#testing/open-engine-scene.ts";
import type { QualifiedRelease } from "#apps/provisioner/engines/releases/read-releases.ts";
import type { Engine } from "#apps/provisioner/engines/engine.ts";
import type { EngineKit, Suite } from "./engine-kits.ts";

interface SuiteResult {
  /** First start in an empty folder. */
  readySeconds: number;
  /** The process and its children, idle, right after the first start. */
  memoryMb: number;
  checks: string[];
}

/** Runs each suite against a separate real process. Throws at the first failed check. */
export async function runSuite(
  kit: EngineKit,
  release: QualifiedRelease,
  enginesDir: string,
  say: (line: string) => void,
): Promise<SuiteResult> {
  const signingKey = generateKeyPairSync("ed25519").privateKey;
  const engine = kit.createEngine({ enginesDir, signingKey, release });
  await engine.install(release.version, () => undefined);
  await engine.prepare?.(release.version);
  const results: SuiteResult[] = [];
  for (const suite of kit.suites) results.push(await runOne(engine, signingKey, release, suite, say));
  return { ...results[0]!, checks: results.flatMap(({ checks }) => checks) };
}

async function runOne(
  engine: Engine,
  signingKey: KeyObject,
  release: QualifiedRelease,
  suite: Suite,
  say: (line: string) => void,
): Promise<SuiteResult> {
  await using open = await openEngineScene(engine, signingKey, release.version);
  const readySeconds = Math.round(open.readyMs / 100) / 10;
  const memoryMb = await readMemoryMb(open.pid());
  say(`ready after ${readySeconds} s, ${memoryMb} MB`);
  for (const { promise, keep } of suite) {
    await keep(open.scene).catch((error: unknown) => {
      throw new Error(`not kept: ${promise}`, { cause: error });
    });
    say(`kept: ${promise}`);
  }
  return { readySeconds, memoryMb, checks: suite.map(({ promise }) => promise) };
}

/** Resident megabytes of a process and its children; 0 on systems without /proc. */
async function readMemoryMb(pid: number): Promise<number> {
  const processes = await readdir("/proc").catch(() => []);
  const statuses = await Promise.all(
    processes.filter((name) => /^\d+$/.test(name)).map((name) => readFile(`/proc/${name}/status`, "utf8").catch(() => "")),
  );
  const kilobytes = statuses
    .filter((status) => [/^Pid:\s+(\d+)/m, /^PPid:\s+(\d+)/m].some((pattern) => Number(pattern.exec(status)?.[1]) === pid))
    .map((status) => Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0));
  return Math.round(kilobytes.reduce((sum, value) => sum + value, 0) / 1024);
}
