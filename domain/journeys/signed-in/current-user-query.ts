/**
 * Finds the caller. One prepared query answers for every signed-in request: session, user, account, plan and
 * workspace together, because a request that needs the first nearly always needs the rest.
 */
import { and, eq, gt, sql } from "drizzle-orm";
import { lastBackupColumn } from "#domain/backups/last-backup.ts";
import { accounts, planSpecs, sessions, subscriptions, usagePeriods, users, workspaces } from "#database/tables.ts";
import { createSeenNotes } from "#domain/accounts/sessions/note-seen.ts";
import { markSeen, seenEveryMs, silenceMs } from "#domain/accounts/sessions/session-store.ts";
import { hashToken } from "#domain/accounts/token.ts";
import type { CataloguePlanSpec } from "#domain/plans/catalogue.ts";
import { periodStarts } from "#domain/plans/usage-period.ts";
import { batchLookUps } from "#platform/postgres/batch-look-ups.ts";
import { after, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";

/**
 * Builds the look-up from a bearer token to the user and everything that belongs to them; null without a live session. Use of the
 * session is recorded once an hour, without delaying the request.
 */
export function prepareCurrentUser(db: Database, clock: Clock, log: Log) {
  const query = db
    .select({
      tokenHash: sessions.tokenHash,
      userId: users.id,
      sessionId: sessions.id,
      openedBy: sessions.openedBy,
      passwordTypedAt: sessions.typedAt,
      lastSeenAt: sessions.lastSeenAt,
      accountId: accounts.id,
      accountName: accounts.name,
      email: users.email,
      fullName: users.fullName,
      language: users.language,
      displayTimezone: users.displayTimezone,
      mutedMails: users.mutedMails,
      confirmedAt: users.confirmedAt,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      setUpAt: accounts.setUpAt,
      suspendedAt: accounts.suspendedAt,
      suspendedUntil: accounts.suspendedUntil,
      suspensionReason: accounts.suspensionReason,
      closedAt: accounts.closedAt,
      closingReason: accounts.closingReason,
      eraseAt: accounts.eraseAt,
      onboardingSteps: accounts.onboardingSteps,
      isFirstDay: sql<boolean>`not ${accounts.firstDays} ?| array['workflow', 'dismissed'] and coalesce(greatest(${workspaces.workflows}, ${workspaces.activeWorkflows}), 0) = 0`,
      firstDays: accounts.firstDays,
      templateId: accounts.templateId,
      subscription: {
        status: subscriptions.status,
        provider: subscriptions.provider,
        startedAt: subscriptions.startedAt,
        unpaidFrom: subscriptions.unpaidFrom,
        planId: subscriptions.planId,
        specId: subscriptions.specId,
        customExecutions: subscriptions.customExecutions,
        customWorkflows: subscriptions.customWorkflows,
        periodEndsAt: subscriptions.periodEndsAt,
        cancelAt: subscriptions.cancelAt,
        deletionAt: subscriptions.deletionAt,
        taxInclusive: subscriptions.taxInclusive,
        version: subscriptions.version,
      },
      planSpec: planSpecs.spec,
      lastBackup: lastBackupColumn(sql.placeholder("now")),
      // The newest usage period that has begun; the index finds it at once. It is the current one only if anything was counted since.
      usagePeriod: sql<
        [startsAt: string, executions: number] | null
      >`(select json_build_array(${usagePeriods.startsAt}, ${usagePeriods.executions})
        from ${usagePeriods} where ${usagePeriods.accountId} = ${accounts.id} and ${usagePeriods.startsAt} <= ${sql.placeholder("now")}
          and ${usagePeriods.startsAt} < coalesce(${subscriptions.unpaidFrom} - interval '1 hour', 'infinity')
        order by ${usagePeriods.startsAt} desc limit 1)`,
      usageReadAt: workspaces.usageReadAt,
      activeWorkflows: workspaces.activeWorkflows,
      workspace: {
        id: workspaces.id,
        engine: workspaces.engine,
        desiredState: workspaces.desiredState,
        life: workspaces.life,
        desiredVersion: workspaces.desiredVersion,
        timezone: workspaces.timezone,
        channel: workspaces.channel,
        autoUpdate: workspaces.autoUpdate,
        maintenanceWindow: workspaces.maintenanceWindow,
        executionsToKeep: workspaces.executionsToKeep,
        memoryMb: workspaces.memoryMb,
        runningMemoryMb: workspaces.runningMemoryMb,
        generation: workspaces.generation,
        observedGeneration: workspaces.observedGeneration,
        observedState: workspaces.observedState,
        observedVersion: workspaces.observedVersion,
        progressStep: workspaces.progressStep,
        progressLabel: workspaces.progressLabel,
        progressPercent: workspaces.progressPercent,
        reason: workspaces.reason,
        reasonCode: workspaces.reasonCode,
        asleepSince: workspaces.asleepSince,
        coldSince: workspaces.coldSince,
        wakeAskedAt: workspaces.wakeAskedAt,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(accounts, eq(accounts.id, users.accountId))
    .leftJoin(subscriptions, eq(subscriptions.accountId, accounts.id))
    .leftJoin(planSpecs, eq(planSpecs.id, subscriptions.specId))
    .leftJoin(workspaces, eq(workspaces.accountId, accounts.id))
    .where(
      and(
        sql`${sessions.tokenHash} = any(${sql.placeholder("tokenHashes")}::text[])`,
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.lastSeenAt, sql.placeholder("silentSince")),
      ),
    )
    .prepare("current_user");
  const noteSeen = createSeenNotes(
    (tokenHashes) => markSeen(db, tokenHashes, clock.now()),
    (err) => log.warn({ err }, "the use of sessions could not be recorded"),
  );
  const find = batchLookUps(async (tokenHashes) => {
    const now = clock.now();
    const rows = await query.execute({ tokenHashes, now, silentSince: after(now, -silenceMs) });
    const notedBefore = after(now, -seenEveryMs);
    const unnoted = rows.filter(({ lastSeenAt }) => lastSeenAt <= notedBefore);
    if (unnoted.length > 0) noteSeen(unnoted.map(({ tokenHash }) => tokenHash));
    return new Map(
      rows.map(({ tokenHash, usagePeriod, usageReadAt, activeWorkflows, ...found }) => {
        const executions = executionsOf(found, usagePeriod, now);
        const usedLimits = usageReadAt && executions !== null ? { executions, activeWorkflows: activeWorkflows ?? 0 } : null;
        return [tokenHash, { ...found, usedLimits }];
      }),
    );
  });
  return async (token: string) => {
    const found = await find(hashToken(token));
    if (!found) return null;
    // A deleted workspace counts as absent; its row only waits for a new one.
    const isGone = found.workspace?.desiredState === "deleted" && found.workspace.observedState === "deleted";
    return isGone ? { ...found, workspace: null } : found;
  };
}

/** What was used in the current period; null before the launch. An older period says nothing about this one. */
function executionsOf(
  { subscription, planSpec }: { subscription: { startedAt: Date; unpaidFrom: Date | null } | null; planSpec: unknown },
  newest: [startsAt: string, executions: number] | null,
  now: Date,
): number | null {
  if (!subscription || !planSpec) return null;
  const isTrial = (planSpec as Pick<CataloguePlanSpec, "metadata">).metadata.group === "trial";
  const startsAt = periodStarts({ startedAt: subscription.startedAt, isTrial, unpaidFrom: subscription.unpaidFrom }, now)[0]!;
  return newest && new Date(newest[0]).getTime() === startsAt.getTime() ? newest[1] : 0;
}

export type FindCurrentUser = ReturnType<typeof prepareCurrentUser>;
export type CurrentUser = NonNullable<Awaited<ReturnType<FindCurrentUser>>>;
