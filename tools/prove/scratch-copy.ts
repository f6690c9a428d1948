/** A copy of this clone as it is, committed or not, in which lines can be broken. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface ScratchCopy extends Disposable {
  folder: string;
  /** Replaces text that occurs once in a file, until the returned function is called; refuses other text. */
  replace(file: string, line: string, by: string): () => void;
}

/** Packages are linked, one by one, because caches lie beside them and belong to the copy. */
export function makeScratchCopy(root: string): ScratchCopy {
  const folder = mkdtempSync(join(tmpdir(), "slipway-prove-"));
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const name of names.split("\0")) {
    if (name === "" || !existsSync(join(root, name))) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(root, name), join(folder, name));
  }
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")))
    if (!/^\.(cache|vite)/.test(name)) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
  return {
    folder,
    replace(file, line, by) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      writeFileSync(path, replaceOnce(text, line, by, file));
      return () => writeFileSync(path, text);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Throws unless the text occurs exactly once: another place would be broken than the one that is meant. */
export function replaceOnce(text: string, line: string, by: string, file: string): string {
  const parts = text.split(line);
  if (parts.length !== 2) throw new Error(`"${line}" occurs ${parts.length - 1} times in ${file}, not once`);
  return parts.join(by);
}
