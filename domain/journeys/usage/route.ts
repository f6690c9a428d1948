/** The account's recorded usage of its plan; fresh figures are requested from the workspace in the background. */
import { routes } from "#contract/routes.ts";
import type { UsedLimits } from "#contract/workspaces/monitoring/usage.ts";
import { planForWorkspace } from "#domain/plans/plan-for-workspace.ts";
import { readBusiest, readDays, readPeriod, readReading } from "#domain/usage/usage-store.ts";
import { lookSoon } from "#domain/workspaces/observed/due-store.ts";
import { AppError } from "#platform/app-error.ts";
import { after, dayMs } from "#platform/clock.ts";
import type { Mount, Services } from "../services.ts";

const historyDays = 30;

export function usageRoutes(mount: Mount, { db, clock }: Services): void {
  const readCounted = async (accountId: string, now: Date) => {
    const [plan, reading] = await Promise.all([planForWorkspace(db, accountId, now), readReading(db, accountId)]);
    if (!plan || !reading?.usageReadAt) throw new AppError("usage_unknown");
    return { plan, reading: { ...reading, usageReadAt: reading.usageReadAt } };
  };

  mount(
    routes.getUsedLimits,
    async ({ signedIn: { accountId, workspace } }): Promise<UsedLimits> => {
      const now = clock.now();
      const dates = lastDays(now);
      const [{ plan, reading }, days] = await Promise.all([readCounted(accountId, now), readDays(db, accountId, dates[0]!)]);
      const startsAt = plan.periodStarts[0]!;
      const period = await readPeriod(db, accountId, startsAt);
      await lookSoon(db, accountId, now);
      const known = new Map(days.map((day) => [day.date, day]));
      return {
        executions: period?.executions ?? 0,
        activeWorkflows: reading.activeWorkflows,
        timeframe: { startsAt: startsAt.toISOString(), endsAt: plan.periodEndsAt?.toISOString() ?? null },
        limits: { executions: plan.limits.executions, activeWorkflows: plan.limits.activeWorkflows },
        workflows: workspace && (await readBusiest(db, workspace.id, startsAt)),
        history: dates.map((date) => known.get(date) ?? { date, executions: 0, failed: 0 }),
        countedAt: reading.usageReadAt.toISOString(),
      };
    },
    { head: async ({ signedIn }) => void (await readCounted(signedIn.accountId, clock.now())) },
  );
}

/** YYYY-MM-DD, oldest first. */
const lastDays = (now: Date): string[] =>
  Array.from({ length: historyDays }, (_, index) =>
    after(now, (index - historyDays + 1) * dayMs)
      .toISOString()
      .slice(0, 10),
  );
