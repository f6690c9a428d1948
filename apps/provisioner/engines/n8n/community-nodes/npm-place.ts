/**
 * npm for workspaces, which n8n uses to install community nodes. The copy is beside the installed engines, where workspaces can read it and
 * none can write: this host's npm may be in a closed home folder.
 */
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stageBeside } from "#platform/host/stage-beside.ts";
import { findNpm } from "../../install/run-npm.ts";
import { removeTree, sealTree } from "../../install/seal-tree.ts";

interface NpmPlace {
  /** A folder for PATH, with a program called `npm` in it. */
  bin: string;
  isPlaced(): boolean;
  /** Copies it there unless it exists. */
  place(): Promise<void>;
}

/** It runs on the `node` that is first on PATH. */
const program = `#!/bin/sh
exec node "$(dirname "$0")/../npm/bin/npm-cli.js" "$@"
`;

/**
 * This host's npm, as a process with that environment finds it, and the place of its copy below `enginesDir`; undefined if there is none.
 */
export function findNpmPlace(enginesDir: string, environment: NodeJS.ProcessEnv = process.env): NpmPlace | undefined {
  const npmCli = findNpm(environment);
  if (npmCli === undefined) return undefined;
  const source = dirname(dirname(npmCli));
  const { version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as { version: string };
  const folder = join(enginesDir, `npm-${version}`);
  const isPlaced = () => existsSync(folder);
  return {
    bin: join(folder, "bin"),
    isPlaced,
    place: async () => {
      if (isPlaced()) return;
      const arriving = await stageBeside(folder, removeTree);
      try {
        await cp(source, join(arriving, "npm"), { recursive: true });
        await mkdir(join(arriving, "bin"));
        await writeFile(join(arriving, "bin", "npm"), program, { mode: 0o755 });
        await sealTree(arriving);
        // Another process may have been first, with the same copy.
        await rename(arriving, folder).catch((error: unknown) => {
          if (!isPlaced()) throw error;
        });
      } finally {
        await removeTree(arriving);
      }
    },
  };
}
