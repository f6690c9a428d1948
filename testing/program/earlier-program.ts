/** The program of an earlier release: the one before the newest migration, so that it runs on a schema that it does not know. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const journal = "database/migrations/meta/_journal.json";
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/**
 * The commit of the newest release whose migrations differ from these, or, before there is one, the commit before the newest migration. A
 * sentence that says why there is none, in a clone without history.
 */
export function findEarlierProgram(): { commit: string } | { missing: string } {
  try {
    if (git("rev-parse", "--is-shallow-repository") === "true") return { missing: "the clone is shallow: git fetch --unshallow" };
    const tags = git("tag", "--merged", "HEAD", "--list", "v*", "--sort=-creatordate").split("\n").filter(Boolean);
    const released = tags.find((tag) => git("diff", "--name-only", tag, "HEAD", "--", journal) !== "");
    return { commit: git("rev-parse", released ?? `${git("log", "-1", "--format=%H", "--", journal)}^`) };
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
