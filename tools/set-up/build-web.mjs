/** Builds the panel if its sources have changed since the last build. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../root.mjs";
import { runWithUs } from "../process/run-quietly.mjs";
import { step } from "../process/step.mjs";
import { diskErrorIn, explainDisk, Trouble } from "../process/trouble.mjs";
import { prepareAlone } from "./only-one.mjs";

const sources = ["apps/web", "contract", "package.json", "package-lock.json"];
const dist = join(root, "apps", "web", "dist");
const stamp = join(dist, ".built-from");
const prefix = "web-";

/** Leaves a complete build in apps/web/dist: made next to it and moved there, so that a server never serves half of one. */
export async function buildWeb(node) {
  if (isBuiltFrom(hashSources(root))) return;
  await prepareAlone(async () => {
    const hash = hashSources(root);
    // The process that we waited for may have done it.
    if (!isBuiltFrom(hash)) await build(node, hash);
  });
}

const isBuiltFrom = (hash) => existsSync(stamp) && readFileSync(stamp, "utf8") === hash;

async function build(node, hash) {
  // No other process builds, so these belong to killed ones.
  for (const name of readdirSync(cacheFolder())) if (name.startsWith(prefix)) remove(join(cacheFolder(), name));
  const beside = mkdtempSync(join(cacheFolder(), prefix));
  const earlier = `${beside}-earlier`;
  try {
    const args = [
      join(root, "node_modules", "vite", "bin", "vite.js"),
      "build",
      "--config",
      join(root, "apps", "web", "vite.config.ts"),
      "--outDir",
      beside,
      "--emptyOutDir",
      "--logLevel",
      "warn",
    ];
    await step("Building the panel", async () => {
      const { ok, output } = await runWithUs(node, args, { cwd: root });
      if (!ok) throw new Trouble(explainDisk(diskErrorIn(output), root) ?? `The panel could not be built:\n${output.trim()}`);
    });
    writeFileSync(join(beside, ".built-from"), hash);
    // Moved away first: a process killed while it deletes a build would leave half of one with its stamp.
    if (existsSync(dist)) renameSync(dist, earlier);
    renameSync(beside, dist);
  } finally {
    remove(beside);
    remove(earlier);
  }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

function cacheFolder() {
  const folder = join(root, "node_modules", ".cache");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** One hash over names and contents of everything in this repository that the build reads. */
export function hashSources(folder) {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of filesOf(join(folder, source)))
      hash
        .update(`${relative(folder, file)}\0`)
        .update(readFileSync(file))
        .update("\0");
  }
  return hash.digest("hex");
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
  const wanted = entries.filter(({ name }) => name !== "dist" && name !== "node_modules").toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return wanted.flatMap((entry) => filesOf(join(path, entry.name)));
}
