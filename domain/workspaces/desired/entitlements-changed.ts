/** Notifies the reconciler that an account's plan changed; apps/provisioner/reconcile/steps/tool/pass-plan.ts tells the workspace. */
import { sql } from "drizzle-orm";
import type { Connection } from "#platform/database.ts";
import { currentTraceparent } from "#platform/tracing/current-work.ts";
import { workspaceChanged } from "../workspace-store.ts";

/**
 * Call it in the transaction that changes a subscription, its plan or its limits. A running workspace gets the change as soon as that
 * commits, without a restart; a stopped one when it starts.
 */
export async function entitlementsChanged(db: Connection, accountId: string, now: Date): Promise<void> {
  const traceparent = currentTraceparent() ?? null;
  await db.execute(sql`
    with due as (
      update workspaces set reconcile_at = ${now.toISOString()}::timestamptz, updated_at = ${now.toISOString()}::timestamptz,
        traceparent = coalesce(${traceparent}, traceparent)
      where account_id = ${accountId} and desired_state = 'running' returning id, account_id)
    select pg_notify(${workspaceChanged}, due.id || ' ' || accounts.name) from due join accounts on accounts.id = due.account_id`);
}
