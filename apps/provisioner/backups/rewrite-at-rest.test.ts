import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import tar from "tar-stream";
import type { BackupRow } from "#domain/backups/backup-store.ts";
import { BackupFailure } from "#domain/backups/backup-failure.ts";
import { createLog } from "#platform/log.ts";
import type { BackupTools } from "./backup-tools.ts";
import { openWritten, rewriteAtRest } from "./rewrite-at-rest.ts";

const workspace = { id: "0199a000-0000-7000-8000-000000000001", number: 1 };
const backup = { id: "0199a000-0000-7000-8000-000000000002", workspaceId: workspace.id, accountId: workspace.id, attempts: 1 } as BackupRow;

/** A stopped workspace with one file, whose engine rewrites it by this program. */
function makeTools(program: string): { tools: BackupTools; staging: string } {
  const staging = mkdtempSync(join(tmpdir(), "slipway-rewrite-"));
  onTestFinished(() => rmSync(staging, { recursive: true }));
  const readStorage = async () => {
    const pack = tar.pack();
    pack.entry({ name: "things/kept.txt" }, "kept and deleted");
    pack.finalize();
    return pack;
  };
  const rewrite = { from: ["things/kept.txt"], written: "new.txt", to: "things/kept.txt", program };
  const given = {
    engine: { backups: { rewrite } },
    driver: { readStorage },
    stagingDir: staging,
    log: createLog("silent"),
    stagingFloorMb: 0,
  };
  return { tools: given as unknown as BackupTools, staging };
}

const begin = `import fs from "node:fs"; const folder = process.argv[2]!;`;
const never = new AbortController().signal;

test("what the program writes is stored instead of the files it read, and nothing of either stays on the host", async () => {
  const { tools, staging } = makeTools(
    `${begin} fs.writeFileSync(folder + "/new.txt", fs.readFileSync(folder + "/things/kept.txt", "utf8").replace(" and deleted", ""));`,
  );
  const rewritten = (await rewriteAtRest(tools, workspace, backup, never))!;
  expect(rewritten).toMatchObject({ instead: ["things/kept.txt"], file: { name: "things/kept.txt", size: 4 } });
  expect(await rewritten.file.file.readFile("utf8")).toBe("kept");
  await rewritten.remove();
  expect(readdirSync(staging)).toEqual([]);
});

test("what a program left is opened only if it is a file of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-written-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, name);
  writeFileSync(at("own"), "its own");
  writeFileSync(at("secret"), "of the operator");
  symlinkSync(at("secret"), at("link"));
  linkSync(at("secret"), at("hard link"));
  for (const name of ["link", "hard link", ".", "missing"]) await expect(openWritten(at(name)), name).rejects.toThrow();
  await (await openWritten(at("own"))).close();
});

test("a program that fails leaves the files to be copied as they are", async () => {
  const { tools, staging } = makeTools("throw new Error('damaged')");
  expect(await rewriteAtRest(tools, workspace, backup, never)).toBeUndefined();
  expect(readdirSync(staging)).toEqual([]);
});

test("a workspace that should start does not wait for the program", async () => {
  const { tools, staging } = makeTools(`${begin} setInterval(() => undefined, 1000);`);
  const wanted = new AbortController();
  const reason = new BackupFailure("again", "it is used");
  const rewriting = rewriteAtRest(tools, workspace, backup, wanted.signal);
  await expect.poll(() => readdirSync(staging).some((name) => existsSync(join(staging, name, "things")))).toBe(true);
  wanted.abort(reason);
  await expect(rewriting).rejects.toBe(reason);
  expect(readdirSync(staging)).toEqual([]);
});
