/** The oldest program that may run on this release's schema (oldest-program.ts): what is promised is what is tested. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listMigrations, oldestProgram } from "#database/oldest-program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/**
 * The newest commit whose newest migration is `oldestProgram`: the one before the next migration was added. A sentence that says why there
 * is none: a clone without history, or no migration after it.
 */
export function findEarlierProgram(): { commit: string } | { missing: string } {
  const tags = listMigrations().map(({ tag }) => tag);
  const next = tags[tags.indexOf(oldestProgram) + 1];
  if (next === undefined) return { missing: "only this release may run on its schema" };
  try {
    if (git("rev-parse", "--is-shallow-repository") === "true") return { missing: "the clone is shallow: git fetch --unshallow" };
    const added = git("log", "--diff-filter=A", "--format=%H", "-1", "--", `database/migrations/${next}.sql`);
    return { commit: git("rev-parse", "--verify", `${added}^`) };
  } catch {
    return { missing: "there is no git history here" };
  }
}

/** A new folder with its sources and this clone's libraries. Other users, such as a workspace's, may enter. Call `remove` at the end. */
export function placeProgram(commit: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "slipway-earlier-"));
  chmodSync(folder, 0o755);
  const archive = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 1024 ** 3 });
  execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
