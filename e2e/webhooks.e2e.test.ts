/** Webhooks that keep arriving while their workspace is restarted, killed and updated: a real Node-RED records each one. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { engineHands } from "../tools/chaos/engines/engine-hands.ts";
import { installReleases } from "../tools/chaos/engines/install-releases.ts";
import { processesOf } from "../tools/chaos/harm/kill-victim.ts";
import { openLane, type Lane } from "../tools/chaos/lane.ts";
import { sendLetters } from "../tools/chaos/round/send-letters.ts";
import type { Tenant } from "../tools/chaos/tenant.ts";

const { received } = engineHands["node-red"];
/** Fifty a second, for longer than a restart takes. */
const stream = { count: 200, everyMs: 20 };

let lane: Lane;
let tenant: Tenant;

beforeAll(async () => {
  await installReleases("node-red");
  lane = await openLane({ engine: "node-red", name: "letters" });
  tenant = lane.tenants[0]!;
  await lane.hands.place(lane.slipway, tenant.customer, "letters");
});
afterAll(() => lane?.[Symbol.asyncDispose]());

/** Sends the stream while `disturb` happens; returns what its senders know and which calls arrived. */
async function sendWhile(prefix: string, disturb: () => Promise<unknown>) {
  const sending = sendLetters(lane, tenant, { prefix, ...stream });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await disturb();
  const violations = await sending;
  const mine = [...tenant.letters.values()].filter(({ letter }) => letter.id.startsWith(`${prefix}-`));
  const of = (fate: string) => mine.filter((each) => each.fate === fate).map(({ letter }) => letter.id);
  const arrived = (await received(lane.slipway, tenant.customer))!.filter(({ id }) => id.startsWith(`${prefix}-`));
  for (const { id, text } of arrived) expect(tenant.letters.get(id)?.letter.text, id).toBe(text);
  return { violations, answered: of("answered"), refused: of("refused"), unknown: of("unknown"), arrived: arrived.map(({ id }) => id) };
}

const call = (method: string, path: string, body?: object) => lane.slipway.call(method, path, { token: tenant.customer.token, body });
const sorted = (ids: string[]) => ids.toSorted();
const everyLetter = (prefix: string) => Array.from({ length: stream.count }, (_, index) => `${prefix}-${index}`).toSorted();

test.each([
  ["a restart", "restart", () => call("PUT", "/api/instance/restart")],
  ["a change of settings", "settings", () => call("PUT", "/api/instance/configuration", { timezone: "Asia/Tokyo" })],
  [
    "an update with its backup",
    "update",
    async () =>
      call("PUT", "/api/instance/configuration", {
        versionName: (await call("GET", "/api/instance/versions")).json<{ versions: { name: string }[] }>().versions.at(-1)!.name,
      }),
  ],
])("fifty webhooks a second over %s are all answered, and each arrived once and whole", async (_title, prefix, disturb) => {
  const seen = await sendWhile(prefix, async () => expect((await disturb()).status).toBe(202));
  expect(seen).toMatchObject({ violations: [], refused: [], unknown: [] });
  expect(sorted(seen.answered)).toEqual(everyLetter(prefix));
  expect(sorted(seen.arrived)).toEqual(everyLetter(prefix));
});

test("over a kill -9 only requests that were already in the workspace are cut off; all others are answered, and none arrives twice", async () => {
  const [workspace] = await lane.rows.ask<{ id: string; number: number }>(
    "select w.id, w.number::int from workspaces w join accounts a on a.id = w.account_id where a.name = $1",
    [tenant.customer.accountName],
  );
  const before = tenant.sent;
  let sentByThen = 0;
  const seen = await sendWhile("killed", async () => {
    const pids = await processesOf(lane.slipway.dataDir, workspace!);
    pids.forEach((pid) => {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended with the previous one.
      }
    });
    await expect
      .poll(async () => (await processesOf(lane.slipway.dataDir, workspace!)).filter((pid) => pids.includes(pid)), { interval: 10 })
      .toEqual([]);
    // Time for the gateway to learn of it.
    await new Promise((resolve) => setTimeout(resolve, 250));
    sentByThen = tenant.sent - before;
  });
  expect(seen).toMatchObject({ violations: [], refused: [] });
  expect(new Set(seen.arrived).size).toBe(seen.arrived.length);
  expect(seen.answered.filter((id) => !seen.arrived.includes(id))).toEqual([]);
  // A later one would mean that the gateway sent requests to a dead workspace.
  expect(seen.unknown.filter((id) => Number(id.slice("killed-".length)) >= sentByThen)).toEqual([]);
  expect(sorted([...seen.answered, ...seen.unknown])).toEqual(everyLetter("killed"));
});
