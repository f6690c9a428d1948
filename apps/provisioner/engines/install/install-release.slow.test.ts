/**
 * Real npm against a small registry on loopback: an installed release is complete and exactly what was qualified, or nothing is installed.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EngineInstallFailure } from "../engine.ts";
import { installRelease, releaseFolder, type InstallOptions } from "./install-release.ts";
import { removeTree } from "./seal-tree.ts";
import { say } from "#contract/sentences/say.ts";
import { engineInstalls } from "#database/tables.ts";
import { createTestFleet, type TestFleet } from "#testing/fleet/test-fleet.ts";
import { startTinyRegistry, type TinyPackage, type TinyRegistry } from "#testing/engines/tiny-registry.ts";

const testTimeoutMs = 60_000;
const plain: TinyPackage[] = [
  { name: "tiny-one", version: "1.0.0" },
  { name: "tiny-two", version: "1.2.3" },
];
/** Loads only after its install script ran, as a compiled package does. */
const native = (script: string): TinyPackage => ({
  name: "tiny-native",
  version: "1.0.0",
  scripts: { install: script },
  files: {
    "index.js": "module.exports = require('./build/made.js')",
    "make.js": "const fs=require('fs');fs.mkdirSync('build',{recursive:true});fs.writeFileSync('build/made.js','')",
  },
});
const builds = "node make.js";

let folder: string;
let registry: TinyRegistry;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-install-"));
  vi.stubEnv("npm_config_cache", join(folder, "npm-cache"));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await registry.close();
  await removeTree(folder);
});

async function prepare(packages: readonly TinyPackage[], version = "1.0.0"): Promise<InstallOptions> {
  registry = await startTinyRegistry(packages);
  return describeRelease(packages, version);
}

async function describeRelease(packages: readonly TinyPackage[], version: string): Promise<InstallOptions> {
  const releaseSource = join(folder, `release-${version}`);
  await mkdir(releaseSource, { recursive: true });
  const dependencies = Object.fromEntries(packages.map((entry) => [entry.name, entry.version]));
  const root = { name: "tiny-engine", version, dependencies };
  const locked = packages.map((entry) => [
    `node_modules/${entry.name}`,
    {
      version: entry.version,
      integrity: registry.integrityOf(entry.name),
      hasInstallScript: entry.scripts === undefined ? undefined : true,
    },
  ]);
  await writeFile(join(releaseSource, "package.json"), JSON.stringify({ ...root, private: true, allowScripts: { "tiny-native": true } }));
  await writeFile(
    join(releaseSource, "package-lock.json"),
    JSON.stringify({ ...root, lockfileVersion: 3, packages: { "": root, ...Object.fromEntries(locked) } }),
  );
  return {
    enginesDir: join(folder, "engines"),
    release: { engine: "n8n", version, folder: releaseSource, releasedAt: "", packages: packages.length, channel: "newest", diskMb: 1 },
    nodeBinary: process.execPath,
    nativePackages: [],
    registry: registry.url,
  };
}

const failureOf = (options: InstallOptions): Promise<EngineInstallFailure> =>
  installRelease(options).then(
    () => Promise.reject(new Error("it installed")),
    (error: EngineInstallFailure) => error,
  );

const visible = async (options: InstallOptions): Promise<string[]> =>
  (await readdir(options.enginesDir)).filter((name) => !name.startsWith(".lock-") && name !== ".native");

test(
  "an installed release is complete, in place, readable by all users and read-only",
  async () => {
    const options = await prepare(plain);
    const seen: number[] = [];
    await installRelease({ ...options, onProgress: (percent) => seen.push(percent) });
    const place = releaseFolder(options.enginesDir, options.release);
    expect(await visible(options)).toEqual(["n8n-1.0.0"]);
    for (const path of ["", "node_modules", "node_modules/tiny-two", "node_modules/tiny-two/package.json"]) {
      const { mode } = await stat(join(place, path));
      expect(mode & 0o666).toBe(0o444);
    }
    expect(await readFile(join(place, "package-lock.json"), "utf8")).toBe(
      await readFile(join(options.release.folder, "package-lock.json"), "utf8"),
    );
    expect(seen.at(-1)).toBe(100);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
  },
  testTimeoutMs,
);

test(
  "an installed release is not installed again",
  async () => {
    const options = await prepare(plain);
    await installRelease(options);
    registry.failWith(500);
    await expect(installRelease(options)).resolves.toBeUndefined();
  },
  testTimeoutMs,
);

test(
  "of two simultaneous processes one installs and the other waits for it",
  async () => {
    const options = await prepare(plain);
    const stalled = registry.stall("tiny-two");
    const child = installInChild(options);
    await stalled.asked;
    const here = installRelease(options);
    stalled.release();
    await here;
    expect(await child.ended).toBe(0);
    expect(registry.fetched.toSorted()).toEqual(["tiny-one", "tiny-two"]);
  },
  testTimeoutMs,
);

test(
  "an install that is killed leaves nothing in place and no process behind, and the next one succeeds",
  async () => {
    const options = await prepare(plain);
    const stalled = registry.stall("tiny-two");
    const child = installInChild(options);
    await stalled.asked;
    child.kill();
    // npm's connection ends only when npm does.
    await stalled.left;
    expect(existsSync(releaseFolder(options.enginesDir, options.release))).toBe(false);
    expect((await visible(options)).some((name) => name.startsWith(".installing-"))).toBe(true);
    stalled.release();
    await installRelease(options);
    expect((await visible(options)).filter((name) => !name.startsWith(".progress-"))).toEqual(["n8n-1.0.0"]);
  },
  testTimeoutMs,
);

test(
  "an aborted install ends npm and leaves nothing behind",
  async () => {
    const options = await prepare(plain);
    const stalled = registry.stall("tiny-two");
    const caller = new AbortController();
    const install = installRelease({ ...options, signal: caller.signal });
    await stalled.asked;
    caller.abort();
    await expect(install).rejects.toThrow(/abort/i);
    await stalled.left;
    expect(await visible(options)).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "a registry out of reach, or broken, is named as the reason",
  async () => {
    const options = await prepare(plain);
    const outOfReach = await failureOf({ ...options, registry: "http://127.0.0.1:9" });
    expect([outOfReach.code, outOfReach.message]).toEqual([
      "registry_unreachable",
      expect.stringContaining("n8n 1.0.0 could not be installed: the package registry can't be reached"),
    ]);
    registry.failWith(500);
    expect((await failureOf(options)).code).toBe("registry_unreachable");
    expect(await visible(options)).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "npm's reason is read also if we were started by an npm that prints nothing",
  async () => {
    vi.stubEnv("npm_config_loglevel", "silent");
    const options = await prepare(plain);
    registry.failWith(500);
    expect((await failureOf(options)).code).toBe("registry_unreachable");
  },
  testTimeoutMs,
);

/** A fleet whose engine is installed from the registry, and whose second package is held back. */
async function startInstallingFleet() {
  const options = await prepare(plain);
  const fleet = await createTestFleet({ installed: false });
  fleet.engine.install = (_version, onProgress, signal) => installRelease({ ...options, onProgress, signal });
  fleet.engine.isInstalled = () => Promise.resolve(existsSync(releaseFolder(options.enginesDir, options.release)));
  return { options, fleet, stalled: registry.stall("tiny-two") };
}

const readInstalls = (fleet: TestFleet) => fleet.database.db.select().from(engineInstalls);
const unreachable = {
  state: "failed",
  reason: expect.stringMatching(/^registry_unreachable: n8n 1\.0\.0 could not be installed: the package registry can't be reached/),
  retryAt: expect.any(Date),
};

test("a network that is gone in the midst of an installation is reported in a sentence, and once it is back, the workspace starts", async () => {
  const scene = await startInstallingFleet();
  await using fleet = scene.fleet;
  fleet.startLoop();
  const id = await fleet.want("acme");
  await scene.stalled.asked;
  expect(await fleet.until(id, ({ progressStep }) => progressStep === "install-engine")).toMatchObject({ reason: null });
  await registry.goAway();
  const row = await fleet.until(id, ({ observedState }) => observedState === "offline");
  expect(row.reason).toBe(say("installFailed"));
  expect(await readInstalls(fleet)).toMatchObject([unreachable]);
  scene.stalled.release();
  await registry.comeBack();
  await fleet.until(id, ({ observedState }) => observedState === "online");
  expect(await fleet.journal(id)).toEqual(["requested", "install-failed", "started", "online"]);
  expect((await visible(scene.options)).filter((name) => !name.startsWith(".progress-"))).toEqual(["n8n-1.0.0"]);
});

test("the release that a start installs is tried again after the network is back, before any workspace needs it", async () => {
  const scene = await startInstallingFleet();
  await using fleet = scene.fleet;
  const { installs } = fleet.reconciler();
  await installs.request("2.0.0");
  await scene.stalled.asked;
  await registry.goAway();
  const state = async () => (await readInstalls(fleet))[0]?.state;
  await expect.poll(state).toBe("failed");
  expect(await readInstalls(fleet)).toMatchObject([unreachable]);
  scene.stalled.release();
  await registry.comeBack();
  await expect.poll(state, { timeout: 60_000 }).toBe("installed");
  expect(await readInstalls(fleet)).toMatchObject([{ attempts: 2, reason: null }]);
  await installs.stop();
});

test(
  "a package with other bytes than qualified is refused",
  async () => {
    const options = await prepare(plain);
    registry.tamper("tiny-one");
    expect((await failureOf(options)).code).toBe("not_identical");
    expect(await visible(options)).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "a disk without room is refused before anything is fetched",
  async () => {
    const options = await prepare(plain);
    const failure = await failureOf({ ...options, release: { ...options.release, diskMb: 2 ** 40 } });
    expect([failure.code, registry.fetched]).toEqual(["no_room", []]);
  },
  testTimeoutMs,
);

test(
  "a disk that fills up with the engine's other files is named, and without room they are not placed",
  async () => {
    const options = await prepare(plain);
    const full = Object.assign(new Error("ENOSPC: no space left on device, copyfile 'a' -> 'b'"), { code: "ENOSPC" });
    const placeOthers = vi.fn<() => Promise<void>>(() => Promise.reject(full));
    const failure = await failureOf({ ...options, placeOthers });
    expect([failure.code, failure.message]).toEqual([
      "no_room",
      `n8n 1.0.0 could not be installed: the disk of ${options.enginesDir} is full. Make room there.`,
    ]);
    const none = await failureOf({ ...options, placeOthers, release: { ...options.release, diskMb: 2 ** 40 } });
    expect([none.code, placeOthers.mock.calls.length]).toEqual(["no_room", 1]);
    expect(registry.fetched).toEqual([]);
  },
  testTimeoutMs,
);

test(
  "a compiled package is built once and kept for the next release",
  async () => {
    const nativePackages = [{ name: "tiny-native", binary: "build/made.js" }];
    const packages = [native(builds)];
    const options = await prepare(packages);
    await installRelease({ ...options, nativePackages });
    await registry.close();
    const broken = [native("exit 1")];
    const next = await prepare(broken, "1.1.0");
    await installRelease({ ...next, nativePackages });
    expect(existsSync(join(releaseFolder(next.enginesDir, next.release), "node_modules/tiny-native/build/made.js"))).toBe(true);
  },
  testTimeoutMs,
);

test(
  "a package that does not compile is named, with what a compiler needs",
  async () => {
    const options = await prepare([native("exit 1")]);
    const failure = await failureOf({ ...options, nativePackages: [{ name: "tiny-native" }] });
    expect([failure.code, failure.message]).toEqual([
      "compile_failed",
      expect.stringMatching(/tiny-native did not compile.*g\+\+ make python3/),
    ]);
    expect(await visible(options)).toEqual([]);
  },
  testTimeoutMs,
);

interface ChildInstall {
  ended: Promise<number | null>;
  kill(): void;
}

/** The same install in a child process, which can be killed. */
function installInChild(options: InstallOptions): ChildInstall {
  const program = `import { installRelease } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "install-release.ts")).href)};
    await installRelease(${JSON.stringify(options)});`;
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", program], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { ended: new Promise((resolve) => child.once("close", resolve)), kill: () => void child.kill("SIGKILL") };
}
