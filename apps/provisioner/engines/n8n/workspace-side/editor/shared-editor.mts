/**
 * n8n writes its editor into the workspace's folder at each start: 46 MB that are the same in every workspace of a release. If the
 * release's rehearsal left them where all workspaces can read them, n8n serves those; files that differ here are written as always.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

interface HasSettings {
  instanceSettings: { staticCacheDir: string };
}

interface Start extends HasSettings {
  generateStaticAssets(): Promise<void>;
}

interface Frontend extends HasSettings {
  writeStaticJSON(name: string, data: readonly unknown[]): Promise<void>;
}

/**
 * Must run before n8n writes the files. False if this release or host has none to share. Throws, with nothing changed, if this n8n writes
 * its files elsewhere.
 * @param prepared what starts of the release share.
 */
export function shareEditor(folder: string, prepared: string): boolean {
  const shared = join(prepared, "editor");
  if (!existsSync(join(shared, "index.html"))) return false;
  const require = createRequire(process.argv[1]!);
  const { Start } = require("../dist/commands/start.js") as { Start: { prototype: Start } };
  const { FrontendService } = require("../dist/services/frontend.service.js") as { FrontendService: { prototype: Frontend } };
  const { writeStaticJSON } = FrontendService.prototype;
  if (typeof Start.prototype.generateStaticAssets !== "function" || typeof writeStaticJSON !== "function")
    throw new Error("this n8n writes its editor's files elsewhere");
  const links = makeLinks(folder, shared);
  // Leftovers of earlier starts.
  rmSync(join(folder, ".cache", "n8n", "public"), { recursive: true, force: true });

  Start.prototype.generateStaticAssets = async function generate() {
    this.instanceSettings.staticCacheDir = links;
  };
  FrontendService.prototype.writeStaticJSON = async function write(name, data) {
    const file = join(links, "types", `${name}.json`);
    const sharedFile = join(shared, "types", `${name}.json`);
    // Never through the link: a list that differs is this workspace's own.
    rmSync(file, { force: true });
    if (isWritten(data, sharedFile)) symlinkSync(sharedFile, file);
    else await writeStaticJSON.call(this, name, data);
  };
  return true;
}

/** A folder that n8n treats as its own, with links to the shared files; created again at each start. */
function makeLinks(folder: string, shared: string): string {
  const links = join(folder, "tmp", "editor");
  rmSync(links, { recursive: true, force: true });
  mkdirSync(join(links, "types"), { recursive: true });
  for (const name of readdirSync(shared)) if (name !== "types") symlinkSync(join(shared, name), join(links, name));
  return links;
}

/**
 * Whether n8n would write exactly this file. Lists differ with community nodes, and a few entries contain the workspace's address, so each
 * entry is compared: writing 18 MB costs more.
 */
function isWritten(data: readonly unknown[], path: string): boolean {
  const file = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  let offset = 0;
  const isNext = (text: string): boolean => {
    const bytes = Buffer.from(text);
    const start = offset;
    offset += bytes.length;
    return offset <= file.length && bytes.equals(file.subarray(start, offset));
  };
  const isSame = isNext("[\n") && data.every((entry, index) => isNext(`${JSON.stringify(entry)}${index < data.length - 1 ? "," : ""}\n`));
  return isSame && isNext("]\n") && offset === file.length;
}
