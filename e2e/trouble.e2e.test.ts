/** Installs that cannot succeed, with the real installer and npm behind the real program. */
import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { ask } from "#testing/ask.ts";
import { placeStandInEngine } from "#testing/engines/place-stand-in-engine.ts";
import { prepareSlipway, type Slipway } from "#testing/program/start-slipway.ts";

const outOfReach = "http://127.0.0.1:9";

/** A program without an engine, whose npm uses only this registry, has an empty cache and gives up quickly. */
async function startWithRegistry(registry: string): Promise<{ slipway: Slipway; env: Record<string, string> }> {
  const env: Record<string, string> = { npm_config_registry: registry, npm_config_fetch_retries: "0" };
  const slipway = await prepareSlipway({ engine: "none", env });
  env["npm_config_cache"] = join(slipway.dataDir, "npm-cache");
  onTestFinished(() => slipway.close());
  await slipway.start();
  return { slipway, env };
}

/** Releases and parts of releases; all else are locks and our own files. */
const releasesIn = ({ enginesDir }: Slipway): string[] => readdirSync(enginesDir).filter((name) => /^n8n-|^\.installing-/.test(name));

test("with the registry out of reach the panel says so, the journal says why, nothing half-installed is used, and the install continues automatically once it can", async () => {
  const { slipway } = await startWithRegistry(outOfReach);
  const customer = await slipway.launch();
  const offline = await slipway.until(customer, ({ status }) => status === instanceStatus.offline);
  expect(offline.reason).toBe("The engine could not be installed. We'll try again automatically.");
  const failed = async () => (await slipway.journal(customer)).findLast(({ event }) => event === "install-failed");
  await expect.poll(failed).toMatchObject({ message: offline.reason, detail: expect.stringContaining("registry_unreachable") });
  expect((await failed())?.detail).toContain("the package registry can't be reached");
  await vi.waitFor(() => expect(releasesIn(slipway)).toEqual([]), { timeout: 60_000 });
  // While it is tried again, the page says that instead.
  const visit = () => ask(slipway.workspaceUrl(customer.accountName), { headers: { accept: "text/html" } });
  await expect.poll(visit).toMatchObject({ status: 503, text: expect.stringContaining("The engine could not be installed.") });

  placeStandInEngine(slipway.enginesDir);
  // Each failed attempt makes the next one wait three times as long: 10 s, 30 s, 90 s.
  await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  expect(await slipway.instance(customer)).not.toHaveProperty("reason");
});

test("an install cut off by a kill leaves no npm behind, and the next start removes its leftovers", async () => {
  const silent = await listenSilently();
  const { slipway, env } = await startWithRegistry(silent.url);
  await silent.asked;
  const customer = await slipway.launch();
  await slipway.until(customer, ({ progress }) => progress?.step === "install-engine");
  expect(releasesIn(slipway)).toEqual([expect.stringMatching(/^\.installing-/)]);
  expect(npmProcesses(slipway)).not.toEqual([]);
  await slipway.kill9();
  await vi.waitFor(() => expect(npmProcesses(slipway)).toEqual([]), { timeout: 60_000 });
  env["npm_config_registry"] = outOfReach;
  await slipway.start();
  await slipway.until(customer, ({ status }) => status === instanceStatus.offline);
  await vi.waitFor(() => expect(releasesIn(slipway)).toEqual([]), { timeout: 60_000 });
});

test("a program that is stopped ends its install", async () => {
  const silent = await listenSilently();
  const { slipway } = await startWithRegistry(silent.url);
  await silent.asked;
  expect(await slipway.signal("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(npmProcesses(slipway)).toEqual([]);
  expect(releasesIn(slipway)).toEqual([]);
});

/** A registry that accepts every request and answers none. `asked`: it had its first request, which may come while the program starts. */
async function listenSilently(): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer(() => undefined);
  const asked = once(server, "request");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** The processes that use this program's npm cache. */
function npmProcesses({ dataDir }: Slipway): number[] {
  const isOurs = (pid: string): boolean => {
    try {
      return (
        readFileSync(`/proc/${pid}/environ`, "utf8").includes(join(dataDir, "npm-cache")) &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("npm-cli")
      );
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter(isOurs)
    .map(Number);
}
