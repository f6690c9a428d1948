import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#platform/clock.ts";
import type { GatewayRoute } from "./gateway-route.ts";
import { createRouteTable } from "./route-table.ts";
import { createWaitingRoom } from "./waiting-room.ts";

/** A room before workspaces that never wake. */
function build(limits: { maxWaitingPerWorkspace: number; maxWaiting: number }) {
  const asleep = (name: string): GatewayRoute => ({ workspaceId: name, state: "asleep", address: "127.0.0.1:1", open: true });
  const routes = createRouteTable({ lookUp: async (name) => asleep(name), clock: systemClock });
  const room = createWaitingRoom({ routes, limits: { ...limits, maxWaitMs: 60_000 } });
  onTestFinished(() => room.close());
  const given = new AbortController();
  /** How many of these requests are held. */
  const send = async (name: string, count: number): Promise<number> => {
    let held = count;
    for (let n = 0; n < count; n += 1) void room.wait(name, asleep(name), given.signal).then((route) => route === "full" && (held -= 1));
    await new Promise(setImmediate);
    return held;
  };
  return { send };
}

test("workspaces that are slow to wake do not fill the waiting room, however many requests they get", async () => {
  const { send } = build({ maxWaitingPerWorkspace: 1000, maxWaiting: 4000 });
  let held = 0;
  for (const name of ["a", "b", "c", "d", "e", "f", "g", "h"]) held += await send(name, 2_000);
  expect(held).toBeLessThan(4_000);
  expect(await send("neighbour", 10)).toBe(10);
});

test("a single workspace may hold its full number of requests", async () => {
  const { send } = build({ maxWaitingPerWorkspace: 1000, maxWaiting: 4000 });
  expect(await send("a", 1_500)).toBe(1_000);
  expect(await send("b", 1_500)).toBe(1_000);
});
