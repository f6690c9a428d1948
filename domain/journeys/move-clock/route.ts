/** The clock of the developer bar: mounted only where the sandbox takes the payments, and never in production. */
import { routes } from "#contract/routes.ts";
import type { Mount, Services } from "../services.ts";
import { moveClock, settle } from "./move-clock.ts";

export function moveClockRoutes(mount: Mount, { db, timeTravel }: Services): void {
  // Not mounted elsewhere: a call that does not exist cannot be made by mistake.
  if (!timeTravel) return;
  const { clock } = timeTravel;
  const state = (settled: boolean) => ({ now: clock.now().toISOString(), aheadMs: clock.aheadMs(), settled });
  mount(routes.getClock, async () => state(await settle(timeTravel, performance.now())));
  mount(routes.moveClock, async ({ body }) => state((await moveClock(db, timeTravel, body.advance)).settled));
}
