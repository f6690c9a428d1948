import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunSpec } from "#apps/provisioner/drivers/driver.ts";
import { runBare } from "./run-bare.ts";

/** Listens at its neighbour's port at its first start. */
const engine = `
const { existsSync, writeFileSync } = require("node:fs");
const [own, taken] = process.argv.slice(1).map(Number);
const isFirst = !existsSync("begun");
writeFileSync("begun", "");
require("node:http").createServer((_request, response) => response.end("well")).listen(isFirst ? taken : own, "127.0.0.1");
`;

test("a process whose port something else has taken starts again with another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slipway-bare-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const neighbour = createServer((_request, response) => response.end("the neighbour"));
  await new Promise<void>((resolve) => neighbour.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void neighbour.close());
  const { port } = neighbour.address() as AddressInfo;
  const spec = {
    workspaceId: "w",
    command: [process.execPath, "-e", engine, "{{port.http}}", String(port)],
    ports: ["http"],
    env: {},
    files: [],
    stopTimeoutMs: 10_000,
  } as unknown as RunSpec;
  const health = async (address: string) => {
    const answer = await fetch(`http://${address}`).catch(() => null);
    return { ready: (await answer?.text()) === "well" };
  };
  const run = await runBare({ health } as never, spec, folder);
  expect(run.address).not.toBe(`127.0.0.1:${port}`);
  expect(await run.logs()).toContain("EADDRINUSE");
  await run.stop();
});
