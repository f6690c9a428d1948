/** Packages with compiled parts: a compile takes a minute, so a binary that works is kept for the next release. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { explainBuildFailure } from "./explain-npm-failure.ts";
import { runNpm } from "./run-npm.ts";

export interface NativePackage {
  name: string;
  /** The compiled file below the package's folder, where it may be kept and copied; absent: it comes with the package. */
  binary?: string;
}

export interface NativeBuild {
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

/** Makes every native package of the tree load under `nodeBinary`: from a kept binary, a download or a compile. Throws EngineInstallFailure. */
export async function buildNativePackages(build: NativeBuild): Promise<void> {
  for (const entry of build.packages) await bringKeptBinary(build, entry);
  const unloadable = await findUnloadable(build, build.packages);
  if (unloadable.length > 0) {
    const names = unloadable.map((entry) => entry.name);
    const { output } = await runNpm({ ...build, cwd: build.folder, args: ["rebuild", ...names, "--ignore-scripts=false", ...build.npmArgs] });
    const failed = await findUnloadable(build, unloadable);
    if (failed.length > 0) throw explainBuildFailure(build.subject, failed.map((entry) => entry.name), output);
  }
  for (const entry of build.packages) await keepBinary(build, entry);
}

async function findUnloadable(build: NativeBuild, packages: readonly NativePackage[]): Promise<NativePackage[]> {
  const results = await Promise.all(packages.map(async (entry) => ({ entry, loads: await loads(build, entry) })));
  return results.filter((result) => !result.loads).map((result) => result.entry);
}

/** A binary is judged by loading it in a process of its own: one for another libc or Node may crash it. */
async function loads(build: NativeBuild, entry: NativePackage): Promise<boolean> {
  const program = `require(${JSON.stringify(entry.name)})`;
  return promisify(execFile)(build.nodeBinary, ["-e", program], { cwd: build.folder, env: {}, timeout: loadTimeoutMs }).then(() => true, () => false);
}

async function keptPath(build: NativeBuild, entry: NativePackage): Promise<string | undefined> {
  if (entry.binary === undefined) return undefined;
  const { version } = JSON.parse(await readFile(join(build.folder, "node_modules", entry.name, "package.json"), "utf8")) as { version: string };
  const name = `${entry.name.replace("/", "+")}-${version}-${process.platform}-${process.arch}.node`;
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
  const arriving = `${kept}.${randomUUID()}`;
  try {
    await copyFile(source, arriving);
    await rename(arriving, kept);
  } finally {
    await rm(arriving, { force: true });
  }
}
