/** A real Docker in a separate network: its host open to containers and closed by the rules, and the leftovers in it. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { minuteMs } from "#platform/clock.ts";
import { testImage } from "#testing/containers/test-image.ts";
import { makeDockerHarness, type DockerHarness } from "#testing/drivers/docker-harness.ts";
import { buildRunSpec } from "#testing/drivers/driver-harness.ts";
import { rollBackFailedStart } from "#testing/drivers/failed-update-scene.ts";
import { helperOptions } from "./container-options.ts";
import { createDockerDriver } from "./create-docker-driver.ts";
import { createContainer, inspectContainer, isThere, namesOf } from "./docker-host.ts";
import { findHelperImage } from "./find-image.ts";
import { startHelper } from "./helper.ts";
import { sendCanary } from "./isolation/canary.ts";
import { findServiceTroubles } from "./isolation/check-service.ts";
import { removeLeftovers } from "./isolation/remove-leftovers.ts";
import { makeNetwork } from "./run-container.ts";

const port = 4_321;
const listens = `require("node:net").createServer((socket) => socket.destroy()).listen(${port}); setTimeout(() => process.exit(), 120_000)`;
const rules = join(import.meta.dirname, "firewall.nft");
const unit = join(import.meta.dirname, "../../../../deploy/one-server/slipway-firewall.service");

describe("a real container service", () => {
  let harness: DockerHarness;
  beforeAll(async () => void (harness = await makeDockerHarness("docker")));
  afterAll(() => harness.close());
  const nft = (...args: string[]) => harness.service.inNetwork("nft", args);
  const send = () => sendCanary(harness.driver.host, port, ["10.231.255.1"]);

  test("a canary reaches an open host, and nothing once the rules are loaded", async () => {
    const { service, driver } = harness;
    void service.inNetwork(process.execPath, ["-e", listens]).catch(() => undefined);
    const unrefused = expect.stringMatching(/^private networks \(10\.231\.\d+\.\d+:4321 is not refused\)$/);
    await vi.waitFor(async () => expect(await send()).toEqual([expect.stringMatching(/:4321$/), "10.231.255.1:4321", unrefused]), 20_000);
    expect(await findServiceTroubles(driver.host, send)).toEqual([expect.stringContaining("containers reach")]);
    // By a rule of its operator: other networks are as open as before.
    await nft("add table inet own; add chain inet own input { type filter hook input priority 0; policy drop; }");
    expect(await send()).toEqual([unrefused]);
    await nft("delete table inet own");
    await nft("-f", rules);
    expect(await findServiceTroubles(driver.host, send)).toEqual([]);
    expect(await nft("list", "table", "inet", "slipway-containers")).toMatch(
      /168\.63\.129\.16[^]*ct count over 2048[^]*limit rate over 100\/second/,
    );
  });

  test("an update whose image is missing is rolled back, with the files from before, and names the image", async () => {
    const { lines } = await rollBackFailedStart(harness);
    expect(lines.map(({ event }) => event)).toEqual(["no-image", "update-rolled-back"]);
    expect(lines[0]!.detail).toContain("absent:1");
  });

  test("the removal of rules is reported, no workspace starts, and the host's own unit restores them", async () => {
    await nft("-f", rules);
    const strict = createDockerDriver({ ...harness.driver.host, isDemanded: true, everyMs: 0, waitMs: 60_000, tryHost: send });
    const spec = buildRunSpec(harness);
    expect(await strict.holdHost!()).toEqual([]);
    await strict.ensure(spec);
    await nft("delete table inet slipway-containers");
    expect(await strict.holdHost!()).toEqual([{ kind: "network", detail: expect.stringContaining("containers reach") }]);
    // A running one is left alone; it could not be started again.
    expect(await strict.ensure(spec)).toMatchObject({ state: "running" });
    await strict.ensure({ ...spec, run: false });
    await expect(strict.ensure(spec)).rejects.toThrow(/is not started, because containers reach/);

    const [, command] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(await readFile(unit, "utf8"))!;
    const loop = command!.replace("/etc/slipway/firewall.nft", rules).replace("sleep 10", "sleep 0.2");
    void harness.service.inNetwork("timeout", ["30", "/bin/sh", "-c", loop]).catch(() => undefined);
    await vi.waitFor(async () => expect(await strict.holdHost!()).toEqual([]), 20_000);
    expect(await strict.ensure(spec)).toMatchObject({ state: "running" });
    await strict.remove(spec.workspaceId);
  });

  test("leftovers of a killed process are removed once no living one can be using them, and nothing else", async () => {
    const { host } = harness.driver;
    const spec = buildRunSpec(harness);
    const { workspaceId } = spec;
    await harness.driver.ensure(spec);
    const image = await findHelperImage(host, workspaceId);
    const name = `${namesOf(workspaceId).helper}left`;
    const left = await createContainer(host, await helperOptions(host, { workspaceId, image, name, script: ["true"] }));
    await makeNetwork(host, "canary-left", 2 ** 31);
    const busy = await startHelper(host, workspaceId, "read -r _", []);
    const hasNetwork = (id: string) => isThere(host, "networks", namesOf(id).network);

    await removeLeftovers(host);
    expect([await inspectContainer(host, left), await hasNetwork("canary-left")]).toEqual([expect.anything(), true]);
    await removeLeftovers(host, Date.now() + 16 * minuteMs);
    expect([await inspectContainer(host, left), await hasNetwork("canary-left")]).toEqual([undefined, false]);
    // A helper that works, and the workspace itself.
    busy.line.end();
    await busy.ended([1]);
    await busy.remove();
    expect(await harness.report(workspaceId)).toMatchObject({ instance: expect.anything() });
    await harness.driver.remove(workspaceId);
  });

  test("workspaces' files are saved and restored by the commands of the runbook", async () => {
    const { host } = harness.driver;
    const spec = buildRunSpec(harness);
    const { workspaceId } = spec;
    await harness.driver.ensure(spec);
    await harness.store(workspaceId, "kept.txt", "kept");
    await harness.driver.ensure({ ...spec, run: false });
    const folder = await mkdtemp(join(tmpdir(), "slipway-moved-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const page = await readFile(join(import.meta.dirname, "../../../../docs/runbooks/move-the-control-plane.md"), "utf8");
    const walk = (name: string) => {
      const [, commands] = new RegExp(`<!-- walked: ${name} -->\\n *\`\`\`sh\\n([^]*?)\`\`\``).exec(page)!;
      const set = [`cd ${folder}`, `export DOCKER_HOST=unix://${harness.service.socketPath} IMAGE=${testImage}`];
      return harness.service.inNetwork("/bin/bash", ["-euo", "pipefail", "-c", [...set, commands!].join("\n")]);
    };
    await walk("save the workspaces");
    await harness.driver.remove(workspaceId);
    expect(await isThere(host, "volumes", namesOf(workspaceId).volume)).toBe(false);
    await walk("restore the workspaces");
    await harness.driver.ensure(spec);
    expect(await harness.stored(workspaceId, "kept.txt")).toBe("kept");
    await harness.driver.remove(workspaceId);
  });
});
