/** Needs what isolated workspaces need: where that is missing, nothing adds addresses either. */
import { execFileSync } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSandboxTools } from "#apps/provisioner/drivers/process/sandbox/sandbox-tools.ts";
import { launchBrowser } from "./chromium.ts";

const isPossible = process.platform === "linux" && process.getuid?.() === 0 && findSandboxTools().tools !== undefined;
const link = `steady${process.pid % 100_000}`;
const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: "pipe", encoding: "utf8" });
const ip = (...args: string[]) => run("ip", ...args);

/** Adds a network link with an address, as a launched workspace does. */
function addAddress(): void {
  ip("link", "add", link, "type", "veth", "peer", "name", `${link}p`);
  onTestFinished(() => void ip("link", "del", link));
  ip("addr", "add", "10.99.7.1/30", "dev", link);
  for (const end of [link, `${link}p`]) ip("link", "set", end, "up");
}

test.runIf(isPossible)("an address that this machine gets while requests of a page wait for a connection fails none of them", async () => {
  const slow: ServerResponse[] = [];
  let isFast = false;
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/slow") && !isFast) slow.push(response);
    else response.end("answered");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
  // Twice as many as a browser has connections to a server.
  const answered = page.evaluate(() =>
    Promise.all(Array.from({ length: 12 }, async (_, index) => (await fetch(`/slow?${index}`)).text()).map((text) => text.catch(String))),
  );
  await expect.poll(() => slow.length).toBe(6);
  addAddress();
  // Chromium would learn of it within milliseconds.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)));
  isFast = true;
  for (const response of slow) response.end("answered");
  expect(await answered).toEqual(Array.from({ length: 12 }, () => "answered"));
});

test.runIf(isPossible)("a disk that was mounted when the browser started is free once it is unmounted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "slipway-steady-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [image, place] = [join(folder, "image"), join(folder, "disk")];
  mkdirSync(place);
  writeFileSync(image, Buffer.alloc(8 * 1024 ** 2));
  run("mkfs.ext4", "-q", image);
  run("mount", "-o", "loop", image, place);
  const browser = await launchBrowser().finally(() => run("umount", place));
  onTestFinished(() => browser.close());
  await expect.poll(() => run("losetup", "-n", "-O", "NAME", "-j", image)).toBe("");
});
