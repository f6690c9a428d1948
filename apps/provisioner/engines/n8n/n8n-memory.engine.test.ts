/** A real n8n under a plan's memory limit: too much data at once ends at most the runner of its Code nodes. */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasMemoryGroups, makeMemoryGroup } from "#testing/engines/memory-group.ts";
import { runBare } from "#testing/engines/run-bare.ts";
import { createTestN8n } from "#testing/engines/n8n/create-test-n8n.ts";
import { callWebhook, directScene, signIn, webhookWorkflow } from "#testing/engines/n8n/hook-scene.ts";
import { dealMemory } from "./n8n-memory.ts";
import { activate, tellPlan } from "#testing/engines/n8n/quota-suite.ts";

/**
 * The smallest size on sale, which is the hardest. `MEMORY_SIZES=1024,2048,4096 npm test -- n8n-memory.engine` tries the others as well and
 * takes about 3 minutes.
 */
const sizesMb = (process.env["MEMORY_SIZES"] ?? "1024").split(",").map(Number);
const atOnce = 20;

const codeOf = (mb: number): string => `
  const bytes = Buffer.alloc(${mb} * 1024 * 1024, 7);
  return [{ json: { size: bytes.length }, binary: { data: await this.helpers.prepareBinaryData(bytes, "file.bin", "application/octet-stream") } }];`;

test.runIf(hasMemoryGroups).each(sizesMb)(
  "n8n of %i MB survives twenty executions at once with files of 8 MB, and with 60 MB; each ends with its answer or a reason",
  async (memoryMb) => {
    const group = makeMemoryGroup(memoryMb);
    const folder = await mkdtemp(join(tmpdir(), "slipway-memory-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const signingKey = generateKeyPairSync("ed25519").privateKey;
    const engine = createTestN8n({ signingKey });
    const version = engine.releases[0]!.version;
    await engine.install(version, () => undefined);
    const secrets = engine.createSecrets();
    const workspaceId = "0199a000-0000-7000-8000-000000000002";
    const spec = engine.runSpec(
      {
        id: workspaceId,
        number: 2,
        generation: 1,
        run: true,
        timezone: "Europe/Berlin",
        memoryMb,
        publicUrl: "http://acme.localhost:3000",
        panelUrl: "http://localhost:3000",
        secrets,
      },
      version,
    );
    const run = await runBare(engine, { ...spec, command: [...group.enter, ...spec.command] }, folder);
    onTestFinished(() => run.stop());
    const scene = directScene({
      engine,
      signingKey,
      version,
      command: spec.command,
      secrets,
      workspaceId,
      address: () => run.address,
      logs: () => run.logs(),
    });
    await engine.setUpOwner(run.address, workspaceId, { email: "ada@example.com", fullName: "Ada de Lovelace" });
    await tellPlan(scene, {
      status: "active",
      limits: { executions: -1, activeWorkflows: -1, credentials: -1, users: -1, concurrentExecutions: -1 },
    });
    const { cookie } = await signIn(scene);

    const all = async (mb: number): Promise<number[]> => {
      await activate(
        scene,
        cookie,
        webhookWorkflow(`file-${mb}`, { name: "Code", type: "n8n-nodes-base.code", typeVersion: 2, parameters: { jsCode: codeOf(mb) } }),
      );
      await callWebhook(scene, `file-${mb}`).then((answer) => answer.text());
      const answers = await Promise.all(Array.from({ length: atOnce }, () => callWebhook(scene, `file-${mb}`)));
      return answers.map(({ status }) => status);
    };
    const others = () => group.pids().filter((pid) => pid !== run.pid);
    // The runner starts with the first Code node.
    expect(others()).toEqual([]);
    expect(await all(8)).toEqual(Array.from({ length: atOnce }, () => 200));
    // A file is sent as base64 text, a third larger than itself.
    const passes = (60 * 4) / 3 <= dealMemory(memoryMb).messageMb;
    expect(await all(60)).toEqual(Array.from({ length: atOnce }, () => (passes ? 200 : 500)));
    expect(await engine.health(run.address)).toEqual({ ready: true });
    // Only the runner: n8n is the process that was started. A runner just started sets its score after a moment.
    const scores = () => others().map((pid) => readFileSync(join("/proc", String(pid), "oom_score_adj"), "utf8").trim());
    await expect.poll(scores, { timeout: 60_000 }).toEqual(["1000"]);
    // It ends when no Code node has run for a while, and the next one starts another.
    await expect.poll(others, { timeout: 150_000, interval: 1_000 }).toEqual([]);
    expect((await callWebhook(scene, "file-8")).status).toBe(200);
  },
  600_000,
);
