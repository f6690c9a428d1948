/** Watches in which usage periods a workspace runs, and for how long, against what its subscription was charged. */
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { quoteResubscribe } from "#domain/billing/purchases/quote-resubscribe.ts";
import { resubscribe } from "#domain/billing/purchases/resubscribe.ts";
import { isRunning } from "#domain/billing/subscription/subscription-states.ts";
import { after, dayMs, hourMs } from "#platform/clock.ts";
import { owner, type TestBilling } from "./test-billing.ts";

/** How many charges a subscription had. */
export const payments = (world: TestBilling, id: string) =>
  world.provider.charges.filter(({ subscriptionId }) => subscriptionId === id).length;

/** The days that its resumptions charged besides. */
export const owedDays = (world: TestBilling, id: string) =>
  world.provider.owed
    .filter(({ subscriptionId }) => subscriptionId === id)
    .reduce((days, { from, to }) => days + (to.getTime() - from.getTime()) / dayMs, 0);

export interface Seen {
  /** Starts of the usage periods in which the workspace ran. */
  quotas: Set<number>;
  runningMs: number;
}

/** Passes in short steps, and notes in which usage period the workspace ran. */
export async function watch(world: TestBilling, accountId: string, hours: number, seen: Seen): Promise<void> {
  const end = after(world.clock.now(), hours * hourMs);
  while (world.clock.now() < end) {
    const step = Math.min(dayMs, end.getTime() - world.clock.now().getTime());
    const [from, ran] = [world.clock.now(), isRunning(await world.state(accountId))];
    await world.pass(step);
    const runs = isRunning(await world.state(accountId));
    const until = runs ? world.clock.now() : ((await world.find(accountId)).pausedAt ?? from);
    if (ran) seen.runningMs += Math.max(0, until.getTime() - from.getTime());
    if (runs) {
      const plan = (await planForWorkspace(world.database.db, accountId, world.clock.now()))!;
      seen.quotas.add(plan.periodStarts[0]!.getTime());
    }
  }
}

/** Resubscribes at the price that is shown. */
export const again = async (world: TestBilling, accountId: string, key: string) => {
  const { previewId } = await quoteResubscribe(world.billing, accountId);
  await resubscribe(world.billing, accountId, previewId, owner, key);
};
