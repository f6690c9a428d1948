/** Whether calls, mails and journal lines are recorded exactly once. */
import type { Lane } from "../lane.ts";
import type { Tenant } from "../tenant.ts";

interface Count {
  what: string;
  count: number;
}

const counts = (table: string, column: string, rest: string) =>
  `select ${column} as what, count(*)::int as count from ${table} ${rest} group by 1`;

/** Violations of one tenant. */
export async function checkRows({ rows }: Lane, { customer, accepted }: Tenant): Promise<string[]> {
  const { accountName, email } = customer;
  const read = async (question: string, values: unknown[]) =>
    new Map((await rows.ask<Count>(question, values)).map(({ what, count }) => [what, count]));
  const audited = await read(counts("audit_log l join accounts a on a.id = l.account_id", "l.action", "where a.name = $1"), [accountName]);
  const journal = await read(
    counts(
      "workspace_journal j join workspaces w on w.id = j.workspace_id join accounts a on a.id = w.account_id",
      "j.event",
      "where a.name = $1",
    ),
    [accountName],
  );
  const mails = await read(counts("mails", "subject", "where recipient = $1"), [email]);
  const restores = await read(
    counts("restores r join workspaces w on w.id = r.workspace_id join accounts a on a.id = w.account_id", "r.state", "where a.name = $1"),
    [accountName],
  );
  const updates = await read(
    counts(
      "workspace_updates u join workspaces w on w.id = u.workspace_id join accounts a on a.id = w.account_id",
      "case when u.state = 'successful' and u.restore_backup_id is not null then 'back' else u.state end",
      "where a.name = $1",
    ),
    [accountName],
  );
  const mailsLike = (pattern: RegExp) => [...mails].filter(([subject]) => pattern.test(subject)).reduce((sum, [, count]) => sum + count, 0);
  const n = (of: Map<string, number>, name: string) => of.get(name) ?? 0;

  const equal: [string, number, number][] = [
    ...[...new Set([...audited.keys(), ...accepted.keys()])]
      .filter(isCounted)
      .map((action): [string, number, number] => [
        `audit rows ${action}`,
        n(audited, action),
        isOfASignUp(action) ? 1 : n(accepted, action),
      ]),
    ["journal lines 'requested'", n(journal, "requested"), n(audited, "workspace.created") + (journal.size > 0 ? 1 : 0)],
    ["journal lines 'deletion-requested'", n(journal, "deletion-requested"), n(audited, "workspace.deleted")],
    ["journal lines 'deleted'", n(journal, "deleted"), n(audited, "workspace.deleted")],
    ["journal lines 'settings-changed'", n(journal, "settings-changed"), n(audited, "workspace.configured")],
    ["journal lines 'restore-started'", n(journal, "restore-started"), n(audited, "backup.restored")],
    ["journal lines 'restored'", n(journal, "restored"), n(restores, "successful")],
    ["journal lines 'updated'", n(journal, "updated"), n(updates, "successful")],
    ["journal lines 'rolled-back'", n(journal, "rolled-back"), n(updates, "back")],
    ["mails of a welcome", mailsLike(/^Welcome/), journal.size > 0 ? 1 : 0],
    ["mails of a deletion", mailsLike(/is being deleted$/), n(audited, "workspace.deleted")],
    ["mails of an update", mailsLike(/now runs/), n(updates, "successful")],
    ["mails of a way back", mailsLike(/is back on/), n(updates, "back")],
    ["mails of an undone update", mailsLike(/was undone$/), n(journal, "update-rolled-back") + n(journal, "update-failed")],
  ];
  return equal
    .filter(([, seen, expected]) => seen !== expected)
    .map(([what, seen, expected]) => `${accountName}: ${what}: ${seen}, and should be ${expected}`);
}

/** Excludes what this run itself does to check the state, or before a dangerous call, any number of times. */
const isCounted = (action: string): boolean =>
  !["backup.downloaded", "backup.link-made", "workspace.opened", "session.password_confirmed"].includes(action);
/** What each of its customers did once at the beginning. */
const isOfASignUp = (action: string): boolean => ["account.registered", "account.set-up", "email.confirmed"].includes(action);
