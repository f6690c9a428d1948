import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { buildHealth } from "../readiness.ts";
import { openFrontDoor } from "./front-door.ts";

/** Connects as often as asked, all at once, and prints how many connections were made before the first one would be tried again. */
const connectAll = `
  const [port, count] = process.argv.slice(1).map(Number);
  let made = 0;
  for (let at = 0; at < count; at += 1)
    require("node:net").connect(port, "127.0.0.1", () => (made += 1)).on("error", () => undefined);
  setTimeout(() => process.exit(console.log(made)), 900);
`;

test("a crowd that comes while this process is busy is connected at once: none has to knock again", async () => {
  // The system's own limit is what it is.
  const most = Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"));
  const count = Math.min(1_000, most);
  expect(count).toBeGreaterThan(511);
  const port = await findFreePort();
  const health = await buildHealth(async () => ({}));
  const door = await openFrontDoor({ panelHost: "localhost", port, hosts: ["127.0.0.1"], api: null, health, gateway: null });
  onTestFinished(async () => {
    await door.close();
    await health.close();
  });
  // It keeps this process from accepting any of them.
  const made = execFileSync(process.execPath, ["-e", connectAll, String(port), String(count)], { encoding: "utf8" });
  expect(Number(made)).toBe(count);
});
