/** The operator's license key in a real n8n: it is tried once, is gone before customers' code can run, and a refused key does no harm. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { EngineWorkspace } from "../engine.ts";
import { runBare } from "#testing/engines/run-bare.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";

const activationKey = "key-of-the-operator";
const settingOf = (folder: string, key: string) => {
  using database = new DatabaseSync(join(folder, ".n8n", "database.sqlite"));
  return database.prepare("select value from settings where key = ?").get(key)?.["value"];
};

test("a license key is tried once and leaves no trace; a refused one leaves n8n usable; the license ends with the plan", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      asked.push(body);
      response.writeHead(400, { "content-type": "application/json" }).end('{"message":"no such key"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const folder = await mkdtemp(join(tmpdir(), "slipway-license-"));
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const engine = createTestN8n({ license: { activationKey, serverUrl } });
  const version = engine.releases[0]!.version;
  await engine.install(version, () => undefined);
  const secrets = engine.createSecrets();
  const specWith = (features: EngineWorkspace["features"]) =>
    engine.runSpec(
      {
        id: "0199a000-0000-7000-8000-000000000002",
        number: 1,
        generation: 1,
        run: true,
        timezone: "Etc/UTC",
        memoryMb: 1024,
        publicUrl: "http://acme.localhost:3000",
        panelUrl: "http://localhost:3000",
        secrets,
        ...(features && { features }),
      },
      version,
    );

  const run = await runBare(engine, specWith({ enabledFeatures: ["workflow-history-5-days"], n8nLicense: true }), folder);
  try {
    await expect.poll(() => asked.filter((body) => body.includes(activationKey))).toHaveLength(1);
    expect(existsSync(join(folder, ".slipway-license"))).toBe(false);
    expect(await readFile(`/proc/${run.pid}/environ`, "utf8")).not.toContain(activationKey);
    const { data } = (await (await fetch(`http://${run.address}/rest/settings`)).json()) as { data: { settingsMode: string } };
    expect(data).toBeDefined();
    expect((await fetch(`http://${run.address}/`, { headers: { accept: "text/html" } })).status).toBe(200);
    await expect.poll(() => settingOf(folder, "slipway.license")).toBe("true");
  } finally {
    await run.stop();
  }

  const after = await runBare(engine, specWith({ enabledFeatures: [] }), folder);
  try {
    expect(asked.filter((body) => body.includes(activationKey))).toHaveLength(1);
    await expect.poll(() => settingOf(folder, "slipway.license")).toBeUndefined();
    const { data } = (await (await fetch(`http://${after.address}/rest/settings`)).json()) as { data: { activeModules?: string[] } };
    expect(data.activeModules ?? []).not.toContain("insights");
  } finally {
    await after.stop();
  }
});
