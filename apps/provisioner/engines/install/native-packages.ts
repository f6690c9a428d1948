/** Packages with compiled parts. Compiling takes a minute, so a working binary is kept for the next release. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { explainBuildFailure } from "./explain-npm-failure.ts";
import { runNpm } from "./run-npm.ts";

export interface NativePackage {
  name: string;
  /** The compiled file below the package's folder, if it may be kept and copied; absent: it comes with the package. */
  binary?: string;
}

interface NativeBuild {
  subject: string;
  folder: string;
  /** Where binaries are kept between releases. */
  keepFolder: string;
  packages: readonly NativePackage[];
  nodeBinary: string;
  npmCli: string;
  npmArgs: readonly string[];
  signal?: AbortSignal | undefined;
}

const loadTimeoutMs = 60_000;

/**
 * Makes every native package of the tree loadable under `nodeBinary`: from a kept binary, a download or a compile. Throws
 * EngineInstallFailure.
 */
export async function buildNativePackages(build: NativeBuild): Promise<void> {
  for (const entry of build.packages) await bringKeptBinary(build, entry);
  const unloadable = await findUnloadable(build, build.packages);
  if (unloadable.length > 0) {
    const names = unloadable.map((entry) => entry.name);
    const output = /\s/.test(build.folder + build.nodeBinary) ? await rebuildElsewhere(build, unloadable) : await rebuild(build, names);
    const failed = await findUnloadable(build, unloadable);
    if (failed.length > 0)
      throw explainBuildFailure(
        build.subject,
        failed.map((entry) => entry.name),
        output,
      );
  }
  for (const entry of build.packages) await keepBinary(build, entry);
}

async function rebuild(build: NativeBuild, names: readonly string[]): Promise<string> {
  return (await runNpm({ ...build, args: ["rebuild", ...names, "--ignore-scripts=false", ...build.npmArgs], cwd: build.folder })).output;
}

/**
 * make and node-gyp cannot work below a folder with a space in its name. In that case, each package is built in a temporary folder, with
 * Node's headers under a path without spaces, and only its compiled file is copied back.
 */
async function rebuildElsewhere(build: NativeBuild, packages: readonly NativePackage[]): Promise<string> {
  const place = await stageBeside(join(tmpdir(), "slipway-build"));
  try {
    await symlink(dirname(dirname(build.nodeBinary)), join(place, "node"));
    const elsewhere = { ...build, folder: place, nodeBinary: join(place, "node", "bin", "node") };
    const wanted = await Promise.all(packages.map(async ({ name }) => [name, await installedVersion(build, name)]));
    await writeFile(join(place, "package.json"), JSON.stringify({ private: true, dependencies: Object.fromEntries(wanted) }));
    await runNpm({ ...elsewhere, cwd: place, args: ["install", "--ignore-scripts", ...build.npmArgs] });
    const output = await rebuild(
      elsewhere,
      packages.map(({ name }) => name),
    );
    for (const { name, binary } of packages) {
      const built = join(place, "node_modules", name, binary ?? "");
      const target = join(build.folder, "node_modules", name, binary ?? "");
      if (binary === undefined || !existsSync(built)) continue;
      await mkdir(dirname(target), { recursive: true });
      await copyFile(built, target);
    }
    return output;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function installedVersion(build: NativeBuild, name: string): Promise<string> {
  return (JSON.parse(await readFile(join(build.folder, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;
}

async function findUnloadable(build: NativeBuild, packages: readonly NativePackage[]): Promise<NativePackage[]> {
  const results = await Promise.all(packages.map(async (entry) => ({ entry, loads: await loads(build, entry) })));
  return results.filter((result) => !result.loads).map((result) => result.entry);
}

/** Tests a binary by loading it in a child process: one for another libc or Node may crash. */
async function loads(build: NativeBuild, entry: NativePackage): Promise<boolean> {
  const program = `require(${JSON.stringify(entry.name)})`;
  return promisify(execFile)(build.nodeBinary, ["-e", program], { cwd: build.folder, env: {}, timeout: loadTimeoutMs }).then(
    () => true,
    () => false,
  );
}

async function keptPath(build: NativeBuild, entry: NativePackage): Promise<string | undefined> {
  if (entry.binary === undefined) return undefined;
  const name = `${entry.name.replace("/", "+")}-${await installedVersion(build, entry.name)}-${process.platform}-${process.arch}.node`;
  return join(build.keepFolder, name);
}

async function bringKeptBinary(build: NativeBuild, entry: NativePackage): Promise<void> {
  const kept = await keptPath(build, entry);
  if (kept === undefined || !existsSync(kept)) return;
  const target = join(build.folder, "node_modules", entry.name, entry.binary!);
  await mkdir(dirname(target), { recursive: true });
  await copyFile(kept, target);
}

async function keepBinary(build: NativeBuild, entry: NativePackage): Promise<void> {
  const kept = await keptPath(build, entry);
  const source = join(build.folder, "node_modules", entry.name, entry.binary ?? "");
  if (kept === undefined || existsSync(kept) || !existsSync(source)) return;
  await mkdir(build.keepFolder, { recursive: true });
  // On the same disk, and removed with the folder if we are killed.
  const arriving = join(build.folder, `${randomUUID()}.node`);
  try {
    await copyFile(source, arriving);
    await rename(arriving, kept);
  } finally {
    await rm(arriving, { force: true });
  }
}
