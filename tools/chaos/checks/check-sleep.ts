/** Whether sleep is recorded as it happened, and no execution counts twice because of it. */
import type { Lane } from "../lane.ts";
import type { Tenant } from "../tenant.ts";

/** Violations of one tenant. */
export async function checkSleep({ sleeps, rows, hands }: Lane, { customer, exists, sent }: Tenant): Promise<string[]> {
  if (!sleeps || !exists) return [];
  const { accountName } = customer;
  const lines = await rows.ask<{ event: string; message: string }>(
    `select j.event, j.message from workspace_journal j join workspaces w on w.id = j.workspace_id join accounts a on a.id = w.account_id
    where a.name = $1 order by j.id`,
    [accountName],
  );
  // Frozen and then stopped are two lines.
  const isTwice = lines.some(({ event, message }, index) => event === "asleep" && lines[index - 1]?.message === message);
  const violations = isTwice ? [`${accountName}: it fell asleep twice without waking`] : [];
  if (hands.countsLetters) {
    const [counted] = await rows.ask<{ executions: number }>(
      `select coalesce(sum(c.executions), 0)::int as executions from usage_counters c join workspaces w on w.id = c.workspace_id
      join accounts a on a.id = w.account_id where a.name = $1`,
      [accountName],
    );
    const [period] = await rows.ask<{ executions: number }>(
      `select coalesce(sum(p.executions), 0)::int as executions from usage_periods p join accounts a on a.id = p.account_id where a.name = $1`,
      [accountName],
    );
    if (counted!.executions > sent)
      violations.push(`${accountName}: ${counted!.executions} executions are counted, and ${sent} webhooks were sent`);
    if (period!.executions !== counted!.executions)
      violations.push(`${accountName}: its period has ${period!.executions} executions, and its counters ${counted!.executions}`);
  }
  return violations;
}
