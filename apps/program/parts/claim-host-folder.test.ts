import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claimHostFolder } from "./claim-host-folder.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a folder with workspaces keeps the name of its host; one older than host names belongs to the first host", () => {
  const [two, old] = [makeFolder(), makeFolder()];
  claimHostFolder(two, "two");
  for (const folder of [two, old]) mkdirSync(join(folder, "workspaces/a-workspace"), { recursive: true });
  claimHostFolder(two, "two");
  expect(() => claimHostFolder(two, "main")).toThrow("contains the workspaces of host two, but HOST_NAME is main");
  expect(() => claimHostFolder(old, "two")).toThrow("contains the workspaces of host main");
  claimHostFolder(old, "main");
});

test("a folder without workspaces takes another name: its first start lacked HOST_NAME and was refused", () => {
  const folder = makeFolder();
  claimHostFolder(folder, "main");
  claimHostFolder(folder, "two");
  mkdirSync(join(folder, "workspaces/a-workspace"), { recursive: true });
  expect(() => claimHostFolder(folder, "main")).toThrow("contains the workspaces of host two");
});
