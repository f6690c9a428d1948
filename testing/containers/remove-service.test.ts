import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeService } from "./remove-service.ts";

test.runIf(process.platform === "linux")("a service that a killed run left is ended and removed, and another one is not", async () => {
  const [left, other] = ["left", "other"].map((name) => mkdtempSync(join(tmpdir(), `slipway-test-service-${name}-`))) as [string, string];
  onTestFinished(() => [left, other].forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  mkdirSync(join(left, "data"));
  writeFileSync(join(left, "data", "layer"), "");
  const children = [left, other].map((folder) => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", `unix://${folder}/socket`]));
  onTestFinished(() => children.forEach((child) => void child.kill("SIGKILL")));
  const ended = once(children[0]!, "exit");
  await removeService(left);
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect([left, other].map((folder) => existsSync(folder))).toEqual([false, true]);
  expect(children[1]!.exitCode ?? children[1]!.signalCode).toBe(null);
});
