import { spawnSync } from "node:child_process";
import { cpSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPostgresBinaries } from "./postgres-binaries.ts";

test("the programs start even if install scripts are blocked and the libraries' links are missing", () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway test libraries "));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const installed = dirname(dirname(dirname(findPostgresBinaries(join(folder, "unused")).postgres)));
  const bare = join(folder, "package");
  cpSync(installed, bare, { recursive: true, filter: (file) => !lstatSync(file).isSymbolicLink() });
  for (const _again of [1, 2]) {
    const { postgres, env } = findPostgresBinaries(join(folder, "links"), bare);
    const { status, stdout } = spawnSync(postgres, ["--version"], { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("postgres (PostgreSQL) 18") });
  }
});
