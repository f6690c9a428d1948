/** The checklist of the first days. */
import { firstDaySteps, type FirstDayStep } from "#contract/accounts/account-values.ts";
import { routes } from "#contract/routes.ts";
import { forgetDismissal, markFirstDays, readFirstDays } from "#domain/accounts/onboarding-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { listInvitations } from "#domain/invitations/invitation-store.ts";
import { hasRunAnything, readReading } from "#domain/usage/usage-store.ts";
import { lookSoon } from "#domain/workspaces/observed/due-store.ts";
import type { Database } from "#platform/database.ts";
import type { Mount, Services } from "../services.ts";

export function firstDaysRoutes(mount: Mount, { db, clock }: Services): void {
  mount(
    routes.getFirstDays,
    async ({ signedIn: { accountId } }) => {
      const kept = await readFirstDays(db, accountId);
      await lookSoon(db, accountId, clock.now());
      const facts = await presentFacts(db, accountId);
      const isDone = (name: FirstDayStep): boolean => kept[name] !== undefined || facts.has(name);
      const found = firstDaySteps.filter((name) => kept[name] === undefined && facts.has(name));
      // Recorded, so that the step stays done even if the workflow is deleted later.
      if (found.length > 0) await markFirstDays(db, accountId, found, clock.now());
      const steps = firstDaySteps.map((name) => ({ name, isDone: isDone(name) }));
      return { steps, isOver: kept.dismissed !== undefined || steps.every((step) => step.isDone) };
    },
    { head: async () => undefined },
  );

  mount(routes.dismissFirstDays, async ({ signedIn: { accountId, userId }, address }) => {
    await db.transaction(async (tx) => {
      const now = clock.now();
      await markFirstDays(tx, accountId, ["dismissed"], now);
      await writeAudit(tx, { accountId, userId, action: "first-days.dismissed", address }, now);
    });
  });

  mount(routes.restoreFirstDays, async ({ signedIn: { accountId, userId }, address }) => {
    await db.transaction(async (tx) => {
      await forgetDismissal(tx, accountId);
      await writeAudit(tx, { accountId, userId, action: "first-days.restored", address }, clock.now());
    });
  });
}

/** What the tables show now. `open` and `backup` are visits, which are recorded when they happen. */
async function presentFacts(db: Database, accountId: string): Promise<Set<FirstDayStep>> {
  const [reading, hasRun, invited] = await Promise.all([
    readReading(db, accountId),
    hasRunAnything(db, accountId),
    listInvitations(db, accountId),
  ]);
  const activeWorkflows = reading?.activeWorkflows ?? 0;
  const hasWorkflow = (reading?.workflows ?? 0) > 0 || activeWorkflows > 0;
  return new Set<FirstDayStep>([
    // No matter how they got there: by the panel's button, a mailed link or a bookmark.
    ...(hasWorkflow ? (["open", "workflow"] as const) : []),
    ...(activeWorkflows > 0 ? (["publish"] as const) : []),
    ...(hasRun ? (["execution"] as const) : []),
    ...(invited.length > 0 ? (["teammate"] as const) : []),
  ]);
}
