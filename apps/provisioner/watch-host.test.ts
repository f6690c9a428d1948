import { expect, test, vi } from "vitest";
import { workspaces } from "#database/tables.ts";
import { after, hourMs, systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createTestFleet } from "#testing/fleet/test-fleet.ts";
import type { HostTrouble } from "./drivers/driver.ts";
import { startHostWatch } from "./watch-host.ts";

test("a host problem is logged once and listed while it lasts, and workspaces that failed because of it are retried when it is over", async () => {
  await using fleet = await createTestFleet();
  const { db } = fleet.database;
  const id = await fleet.want("acme");
  const soon = after(new Date(), hourMs);
  await db.update(workspaces).set({ failures: 9, observedState: "offline", reconcileAt: soon });
  let found: HostTrouble[] = [{ kind: "room", detail: "12 MB left" }];
  const said: unknown[] = [];
  const log = { ...createLog("silent"), error: (entry: unknown) => said.push(entry), info: () => undefined } as unknown as ReturnType<
    typeof createLog
  >;
  const watch = startHostWatch({ driver: { holdHost: async () => found }, db, clock: systemClock, log }, 20);
  await vi.waitFor(() => expect(watch.troubles()).toEqual(["room"]), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(said).toEqual([{ kind: "room", detail: "12 MB left" }]);
  expect((await fleet.row(id)).reconcileAt).toEqual(soon);
  found = [];
  await vi.waitFor(() => expect(watch.troubles()).toEqual([]), 20_000);
  await vi.waitFor(async () => expect((await fleet.row(id)).reconcileAt!.getTime()).toBeLessThan(Date.now() + 1_000), 20_000);
  await watch.stop();
});
