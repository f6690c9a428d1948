/** Opens files as the attacker, and distinguishes the host's own file from one that only has the same name in the attacker's view. */
import { statSync } from "node:fs";
import type { Scene } from "./scene.ts";

interface Opened {
  path: string;
  /** `opened`, or the system's refusal. */
  code: string;
  /** It was opened, and is the same file as on the host. */
  isHosts: boolean;
  /** A file or a folder keeps what is written; a device does not. */
  keeps: boolean;
}

const script = `const fs = require('node:fs');
return given.paths.map((path) => {
  try {
    const fd = fs.openSync(path, given.flags);
    const found = fs.fstatSync(fd, { bigint: true });
    fs.closeSync(fd);
    return { path, code: 'opened', file: found.dev + ':' + found.ino, keeps: found.isFile() || found.isDirectory() };
  } catch (error) {
    return { path, code: error.code };
  }
});`;

/** Paths as the attacker sees them; `flags` as for open: opening with "r", "r+" and "a" writes nothing. */
export async function openInside(scene: Scene, paths: readonly string[], flags: "r" | "r+" | "a"): Promise<Opened[]> {
  const answers = (await scene.script(script, { paths, flags })) as { path: string; code: string; file?: string; keeps?: boolean }[];
  return answers.map(({ path, code, file, keeps = false }) => ({
    path,
    code,
    keeps,
    isHosts: file !== undefined && file === idOf(scene.onHost(path)),
  }));
}

/** Device and inode as the host sees them; undefined if there is no such file. */
export function idOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
