import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { movePlaces } from "../../drivers/container/launch-order.ts";
import type { RunSpec } from "../../drivers/driver.ts";
import { findHostTools, userOptions } from "../../drivers/process/host/host-tools.ts";
import { atViewPlaces } from "../../drivers/process/sandbox/at-view-places.ts";
import { placesInView } from "../../drivers/process/sandbox/view-places.ts";
import { holdInstallLock } from "./hold-install-lock.ts";
import { preparedFolder, prepareRelease, type Preparation } from "./prepared-release.ts";
import { removeTree } from "./seal-tree.ts";

const release = { engine: "tool", version: "1.0.0" };
const preload = join(import.meta.dirname, "..", "workspace-side", "compile-cache.mts");
/** Node only compiles a function when it is called, so it calls one. */
const library = `exports.answer = () => [${"1,".repeat(2_000)}].length;`;
const program = `
  const { createServer } = require("node:http");
  require("./library.js").answer();
  require("node:fs").writeFileSync(process.env.HOME + "/seen", String(process.getuid?.()));
  createServer((request, response) => response.end("ok")).listen(process.env.PORT, "127.0.0.1");
  process.on("SIGTERM", () => process.exit(Number(process.env.CODE)));
`;

/** A release that all users can read, as installed ones are. */
function installTool() {
  const enginesDir = mkdtempSync(join(tmpdir(), "slipway-prepared-"));
  onTestFinished(() => removeTree(enginesDir));
  chmodSync(enginesDir, 0o755);
  const folder = join(enginesDir, "tool-1.0.0", "node_modules", "tool");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "library.js"), library);
  writeFileSync(join(folder, "main.js"), program);
  const main = join(folder, "main.js");
  const spec: RunSpec = {
    workspaceId: "rehearsal",
    workspaceNumber: 0,
    run: true,
    generation: 0,
    command: [process.execPath, main],
    env: { PORT: "{{port.http}}", HOME: "{{folder}}", CODE: "0" },
    files: [{ path: "tmp/deep/.keep", content: "", mode: 0o600 }],
    ports: ["http"],
    memoryMb: 256,
    stopTimeoutMs: 5_000,
  };
  const preparation: Preparation = {
    enginesDir,
    release,
    nodeBinary: process.execPath,
    spec,
    health: async (address) => {
      const ready = await fetch(`http://${address}/`).then(
        ({ ok }) => ok,
        () => false,
      );
      return { ready };
    },
    readyTimeoutMs: 180_000,
  };
  return { enginesDir, preparation, spec, library: join(folder, "library.js"), prepared: preparedFolder(enginesDir, release) };
}

/**
 * A start of the tool's library in a workspace's folder, as a separate user and where a sandbox shows the engines if this machine supports
 * that. Returns what Node reports about its cache.
 */
function start(tool: ReturnType<typeof installTool>, prepared: string, uid: number): { said: string; compiledDir: string } {
  const folder = mkdtempSync(join(tmpdir(), "slipway-start-"));
  onTestFinished(() => removeTree(folder));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, uid, uid);
  const host = { enginesDir: tool.enginesDir, nodeBinary: process.execPath };
  const opt = mkdtempSync(join(tmpdir(), "slipway-opt-"));
  chmodSync(opt, 0o755);
  onTestFinished(() => removeTree(opt));
  const around = isRoot ? atViewPlaces(host, opt, folder) : undefined;
  const hook = join(mkdtempSync(join(tmpdir(), "slipway-hook-")), "compile-cache.mts");
  chmodSync(join(hook, ".."), 0o755);
  onTestFinished(() => removeTree(join(hook, "..")));
  execFileSync("cp", [preload, hook]);
  const script = `require(${JSON.stringify(tool.library)}).answer(); require("module").getCompileCacheDir() ?? "none"`;
  const spec = {
    command: [...(isRoot ? [findHostTools().setpriv!, ...userOptions(uid)] : []), process.execPath, `--import=${hook}`, "-p", script],
    env: { TMPDIR: folder, SLIPWAY_PREPARED: prepared, NODE_DEBUG_NATIVE: "COMPILE_CACHE" },
    files: [],
  };
  const { command, env } = around ? movePlaces(spec, host, placesInView(host)) : spec;
  const [first, ...args] = [...(around ?? []), ...command];
  const { stdout, stderr } = spawnSync(first!, args, { cwd: folder, encoding: "utf8", env });
  return { said: stderr, compiledDir: stdout.trim().split("\n").at(-1)! };
}

const writableIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => (statSync(join(folder, name)).mode & 0o222) !== 0);

test("code compiled in a rehearsal is used by starts of every user, and none of them can write to it", async () => {
  const tool = installTool();
  await prepareRelease(tool.preparation);
  const [runtime] = readdirSync(tool.prepared);
  expect(readdirSync(tool.prepared)).toEqual([runtime]);
  expect(runtime).toMatch(new RegExp(`^${process.version}-${process.arch}-[0-9a-f]{8}$`));
  expect(readdirSync(join(tool.prepared, runtime!))).toEqual(["compiled"]);
  expect(writableIn(tool.prepared)).toEqual([]);
  for (const uid of [233_001, 233_002]) {
    const { said } = start(tool, tool.prepared, uid);
    expect(said).toMatch(/V8 code cache for CommonJS \S*library\.js was accepted/);
  }
  expect(writableIn(tool.prepared)).toEqual([]);
});

test("a release is rehearsed once, even if two ask for it together", async () => {
  const tool = installTool();
  await Promise.all([prepareRelease(tool.preparation), prepareRelease(tool.preparation)]);
  await prepareRelease({ ...tool.preparation, spec: { ...tool.spec, command: ["/nowhere/at/all"] } });
  expect(readdirSync(tool.prepared)).toHaveLength(1);
});

test("a rehearsal that does not end cleanly leaves nothing, and a later one cleans up after a killed one", async () => {
  const tool = installTool();
  await expect(prepareRelease({ ...tool.preparation, spec: { ...tool.spec, env: { ...tool.spec.env, CODE: "3" } } })).rejects.toThrow(
    "tool 1.0.0 was not prepared: it ended with 3",
  );
  expect(readdirSync(tool.prepared)).toEqual([]);
  mkdirSync(join(tool.prepared, ".arriving-killed", "data"), { recursive: true });
  await prepareRelease(tool.preparation);
  expect(readdirSync(tool.prepared).filter((name) => name.startsWith("."))).toEqual([]);
});

test("a rehearsal that waited while an earlier preparation and its folder were removed has a folder", async () => {
  const tool = installTool();
  const free = await holdInstallLock(join(tool.enginesDir, ".lock-prepared-tool-1.0.0"), () => undefined);
  const preparing = prepareRelease(tool.preparation);
  // It reaches the lock within this time, and what it had made before is removed as at the end of a removal.
  for (const until = performance.now() + 2_000; performance.now() < until; await delay(10))
    if (existsSync(tool.prepared)) rmdirSync(tool.prepared);
  free();
  await preparing;
  expect(readdirSync(tool.prepared)).toHaveLength(1);
});

test("without a preparation, or with one for another Node, a start compiles its files itself", async () => {
  const tool = installTool();
  expect(start(tool, tool.prepared, 233_003).compiledDir).toBe("none");
  mkdirSync(join(tool.prepared, "v1.2.3-x64-00000000", "compiled"), { recursive: true });
  expect(start(tool, tool.prepared, 233_003).compiledDir).toBe("none");
});

test.runIf(process.getuid?.() === 0)("a rehearsal runs as a user that owns nothing", async () => {
  const tool = installTool();
  let uid = "";
  let compiledByOthers: string[] = [];
  await prepareRelease({
    ...tool.preparation,
    keep: async (folder) => {
      uid = execFileSync("cat", [join(folder, "seen")], { encoding: "utf8" });
      compiledByOthers = readdirSync(join(folder, "..", "compiled"));
    },
  });
  expect(Number(uid)).toBe(199_997);
  expect(compiledByOthers).toEqual([]);
  expect(existsSync(join(tool.prepared, "seen"))).toBe(false);
});

test("a preparation is on the disk before anyone can see it", async () => {
  const { preparation, prepared, enginesDir } = installTool();
  const tools = join(enginesDir, "tools");
  mkdirSync(tools);
  const seen = join(tools, "seen");
  writeFileSync(join(tools, "sync"), `#!/bin/sh\necho "$1 $(ls '${prepared}' | wc -l) $(ls "$2")" >> '${seen}'\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${tools}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  await prepareRelease(preparation);
  expect(readFileSync(seen, "utf8")).toBe("-f 0 compiled\n");
  expect(readdirSync(prepared)).toHaveLength(1);
});

test("a host without room prepares nothing, and says how much is missing", async () => {
  const { preparation, prepared } = installTool();
  await expect(prepareRelease({ ...preparation, neededMb: 1024 ** 3 })).rejects.toThrow(/^it needs 1073741824 MB, and \d+ MB are free$/);
  expect(readdirSync(prepared)).toEqual([]);
});
