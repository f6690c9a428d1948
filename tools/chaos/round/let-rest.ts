/** Makes workspaces fall asleep as the product decides it: only the time without use is made up. */
import { workspaceChanged } from "#domain/workspaces/workspace-store.ts";
import { waitFor } from "#testing/wait-for.ts";
import { sleepAfterMinutes, type Lane } from "../lane.ts";

/** As if no visitor had come, and no process had started, for longer than any plan of the lane asks. All are looked at now. */
export async function letRest({ rows }: Pick<Lane, "rows">): Promise<void> {
  await rows.ask(
    `with resting as (
      update workspaces set used_at = null, started_at = now() - make_interval(mins => 10 * $1), reconcile_at = now()
      where desired_state = 'running' and observed_state = 'online' returning id, account_id)
    select pg_notify($2, resting.id || ' ' || a.name) from resting join accounts a on a.id = resting.account_id`,
    [sleepAfterMinutes, workspaceChanged],
  );
}

/** Lets all rest until all are asleep. Nothing uses them meanwhile, but the program may be busy with the round before. */
export async function putToSleep(lane: Pick<Lane, "rows">, timeoutMs: number): Promise<void> {
  await letRest(lane);
  const lookOnce = async (): Promise<void> => {
    const awake = await lane.rows.ask<{ name: string }>(`select a.name from workspaces w join accounts a on a.id = w.account_id
      where w.desired_state = 'running' and (w.asleep_since is null or w.lease_owner is not null)`);
    if (awake.length === 0) return;
    await letRest(lane);
    throw new Error(`still awake: ${awake.map(({ name }) => name).join(", ")}`);
  };
  await waitFor(lookOnce, { timeout: timeoutMs, interval: 250 });
}
