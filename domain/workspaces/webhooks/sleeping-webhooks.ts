/**
 * The webhooks that a sleeping workspace has, so that a call of any other path need not wake it. They cannot change while it sleeps. Whatever
 * is missing, old or doubtful counts as unknown, and an unknown call wakes.
 */
import { and, eq, isNull, sql } from "drizzle-orm";
import { accounts, sleepingWebhooks, workspaces } from "#database/tables.ts";
import type { Connection, Database } from "#platform/database.ts";

/** What a workspace reports when it falls asleep. It may lie: then its own webhooks get no answer. */
export interface KnownWebhooks {
  /** The methods of each path. */
  paths: Record<string, string[]>;
  /** Paths with parameters: the first segment and the number of the others, separated by a space. */
  templates: string[];
  /** The ids of its first and last execution; null: it has none. */
  executions: { first: number; last: number } | null;
}

/** A call, as the tool looks for its webhook. */
export interface WebhookPath {
  path: string;
  /** As in `templates`. */
  template: string;
}

/** What is known of one call of a sleeping workspace. */
export interface KnownCall {
  /** The methods with which this path can be called; null: it has no webhook. */
  methods: string[] | null;
  /** Whether a path with parameters may match it. */
  isTemplated: boolean;
  executions: KnownWebhooks["executions"];
}

/** Replaces what was known of the workspace. Call it in the transaction that records its sleep. */
export async function recordSleepingWebhooks(
  tx: Connection,
  workspaceId: string,
  asleepSince: Date,
  known: KnownWebhooks | null,
): Promise<void> {
  if (known === null) return void (await tx.delete(sleepingWebhooks).where(eq(sleepingWebhooks.workspaceId, workspaceId)));
  const { paths, templates, executions } = known;
  const row = {
    asleepSince,
    paths,
    templates,
    firstExecution: executions?.first ?? null,
    lastExecution: executions?.last ?? null,
  };
  await tx
    .insert(sleepingWebhooks)
    .values({ workspaceId, ...row })
    .onConflictDoUpdate({ target: sleepingWebhooks.workspaceId, set: row });
}

/**
 * What is known of a call of this account's workspace now; null: nothing, because it does not sleep, is about to wake, or has been changed
 * since it fell asleep. Prepared, because strangers cause it.
 */
export function prepareSleepingCallLookup(db: Database): (accountName: string, call: WebhookPath) => Promise<KnownCall | null> {
  const query = db
    .select({
      methods: sql<string[] | null>`${sleepingWebhooks.paths} -> ${sql.placeholder("path")}::text`,
      isTemplated: sql<boolean>`${sql.placeholder("template")}::text = any(${sleepingWebhooks.templates})`,
      first: sleepingWebhooks.firstExecution,
      last: sleepingWebhooks.lastExecution,
    })
    .from(workspaces)
    .innerJoin(accounts, eq(accounts.id, workspaces.accountId))
    .innerJoin(
      sleepingWebhooks,
      and(eq(sleepingWebhooks.workspaceId, workspaces.id), eq(sleepingWebhooks.asleepSince, workspaces.asleepSince)),
    )
    .where(
      and(
        eq(accounts.name, sql.placeholder("name")),
        eq(workspaces.desiredState, "running"),
        isNull(workspaces.wakeAskedAt),
        sql`date_trunc('milliseconds', ${workspaces.updatedAt}) = date_trunc('milliseconds', ${workspaces.asleepRevision})`,
      ),
    )
    .limit(1)
    .prepare("sleeping_call");
  return async (name, { path, template }) => {
    const found = (await query.execute({ name, path, template }))[0];
    if (!found) return null;
    const { methods, isTemplated, first, last } = found;
    return { methods, isTemplated, executions: first === null || last === null ? null : { first, last } };
  };
}
