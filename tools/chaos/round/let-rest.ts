/** Makes workspaces fall asleep. The product decides it; only the time without use is simulated. */
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { waitFor } from "#testing/wait-for.ts";
import { sleepAfterMinutes, stopAfterMinutes, type Lane } from "../lane.ts";
import type { Sleep } from "./plan-round.ts";

/** Longer than any plan of the lane requires. For those that are only frozen, short enough that they are not stopped within the round. */
const unusedMinutes: Readonly<Record<Sleep, number>> = { frozen: 10 * sleepAfterMinutes, stopped: 2 * stopAfterMinutes };

/** As if no visitor had come and no process had started for this long. All are checked now. */
export async function letRest({ rows }: Pick<Lane, "rows">, form: Sleep = "frozen"): Promise<void> {
  await rows.ask(
    `with resting as (
      update workspaces set used_at = null, started_at = now() - make_interval(mins => $1), reconcile_at = now()
      where desired_state = 'running' and observed_state = 'online' returning id, account_id)
    select pg_notify($2, resting.id || ' ' || a.name) from resting join accounts a on a.id = resting.account_id`,
    [unusedMinutes[form], workspaceChanged],
  );
}

/** A host whose processors are busy stops its sleepers later: then they are frozen. */
const mostStopMs = 20_000;

/** Lets all rest until all are asleep. Nothing uses them, but the program may be busy with the previous round. */
export async function putToSleep(lane: Pick<Lane, "rows">, timeoutMs: number, form: Sleep = "frozen"): Promise<void> {
  await letRest(lane);
  await untilNone(lane, "frozen", "w.asleep_since is null", timeoutMs);
  if (form === "frozen") return;
  await letRest(lane, form);
  await untilNone(lane, form, "w.cold_since is null", mostStopMs).catch(() => undefined);
}

/** Lets the remaining ones rest, until there are none. */
async function untilNone(lane: Pick<Lane, "rows">, form: Sleep, left: string, timeoutMs: number): Promise<void> {
  const lookOnce = async (): Promise<void> => {
    const awake = await lane.rows.ask<{ name: string }>(`select a.name from workspaces w join accounts a on a.id = w.account_id
      where w.desired_state = 'running' and (${left} or w.lease_owner is not null)`);
    if (awake.length === 0) return;
    await letRest(lane, form);
    throw new Error(`not ${form} yet: ${awake.map(({ name }) => name).join(", ")}`);
  };
  await waitFor(lookOnce, { timeout: timeoutMs, interval: 250 });
}
