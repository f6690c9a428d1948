/** The SQL of calls of workspaces' webhooks: each call is counted in the row of its minute and in the row of its hour. */
import { and, eq, gte, lte, sql } from "drizzle-orm";
import { webhookCalls, workspaces } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";
import { latencyBoundsMs, type WebhookCalls } from "./webhook-calls.ts";

/** The lengths of the stored rows in minutes: single minutes for short graphs, hours for long ones. */
export type KeptMinutes = 1 | 60;

interface TimedCalls extends WebhookCalls {
  /** When the span began. */
  at: Date;
}

const origin = sql`timestamptz '2000-01-01 00:00:00Z'`;
const classes = [...latencyBoundsMs.keys(), latencyBoundsMs.length].map((place) => sql.raw(String(place + 1)));

/**
 * Adds the calls that one gateway saw since its last report up to `at`, by workspace: two rows each, whatever was called. Workspaces
 * that were deleted are skipped. Repeating the call adds them again.
 */
export async function addWebhookCalls(db: Connection, seen: ReadonlyMap<string, WebhookCalls>, at: Date): Promise<void> {
  if (seen.size === 0) return;
  const rows = JSON.stringify(Array.from(seen, ([id, { clientErrors, ...calls }]) => ({ id, errors: clientErrors, ...calls })));
  const added = sql.join(
    classes.map((place) => sql`kept.latency[${place}] + excluded.latency[${place}]`),
    sql`, `,
  );
  // In a fixed order, so that two gateways never deadlock.
  await db.execute(sql`
    insert into ${webhookCalls} as kept (workspace_id, span_minutes, at, calls, client_errors, failed, waited, latency)
    select given.id, spans.minutes, date_bin(make_interval(mins => spans.minutes), ${at.toISOString()}::timestamptz, ${origin}),
      given.calls, given.errors, given.failed, given.waited, given.latency
    from jsonb_to_recordset(${rows}::jsonb) as given(id uuid, calls int, errors int, failed int, waited int, latency int[])
    join workspaces on workspaces.id = given.id
    cross join (values (1), (60)) as spans(minutes)
    order by given.id, spans.minutes
    on conflict (workspace_id, span_minutes, at) do update set
      calls = kept.calls + excluded.calls,
      client_errors = kept.client_errors + excluded.client_errors,
      failed = kept.failed + excluded.failed,
      waited = kept.waited + excluded.waited,
      latency = array[${added}]`);
}

/**
 * The sums of every span of `spanMinutes` from one moment to another, oldest first, without empty ones. Excludes what was before the data
 * was last deleted, and what is later than `to`, which happens after the clock was set back.
 */
export async function readWebhookCalls(
  db: Connection,
  workspaceId: string,
  { from, to }: { from: Date; to: Date },
  { kept, spanMinutes }: { kept: KeptMinutes; spanMinutes: number },
): Promise<TimedCalls[]> {
  const { at, calls, clientErrors, failed, waited, latency } = webhookCalls;
  const span = sql`date_bin(make_interval(mins => ${sql.raw(String(spanMinutes))}), ${at}, ${origin})`;
  const begun = sql`coalesce((select ${workspaces.renewedAt} from ${workspaces} where ${workspaces.id} = ${workspaceId}), '-infinity')`;
  const summed = sql.join(
    classes.map((place) => sql`sum(${latency}[${place}])::int`),
    sql`, `,
  );
  return db
    .select({
      at: span.mapWith(at),
      calls: sql<number>`sum(${calls})::int`,
      clientErrors: sql<number>`sum(${clientErrors})::int`,
      failed: sql<number>`sum(${failed})::int`,
      waited: sql<number>`sum(${waited})::int`,
      latency: sql<number[]>`array[${summed}]`,
    })
    .from(webhookCalls)
    .where(and(eq(webhookCalls.workspaceId, workspaceId), eq(webhookCalls.spanMinutes, kept), gte(at, from), lte(at, to), gte(at, begun)))
    .groupBy(span)
    .orderBy(span);
}
