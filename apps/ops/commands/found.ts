import { lockClosing } from "#domain/accounts/closing-store.ts";
import { refuseHeld } from "#domain/accounts/suspension-store.ts";
import { allowsWorkspace } from "#domain/billing/subscription/allows-workspace.ts";
import { lockSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { lockWorkspace } from "#domain/workspaces/settings/settings-store.ts";
import { AppError } from "#platform/app-error.ts";
import type { Connection, Database } from "#platform/database.ts";
import { foundWords, listFound, noteRestored, settleFound } from "#domain/workspaces/hosts/found-store.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { ageBeat } from "#domain/memory-gap/memory-gap-store.ts";
import { listHosts } from "#domain/workspaces/hosts/host-store.ts";
import { CommandRefused, type Command } from "../command.ts";

const choices = {
  "keep-host": "host",
  "keep-row": "row",
  done: "listed",
} as const;

/** What a restored database does not explain. */
export const found: Command = {
  name: "found",
  options: {
    "keep-host": {
      type: "string",
      summary: "the workspace with this id is right as its host has it: it runs with that, also if it was deleted",
    },
    "keep-row": {
      type: "string",
      summary:
        "the database is right about the workspace with this id: what the host has is ended, replaced or removed as the database says",
    },
    done: { type: "string", summary: "takes the workspace with this id off the list, after you have dealt with it on its host" },
    "restored-otherwise": {
      type: "boolean",
      summary: "the database was restored by another tool than restore-control-plane; before the service starts",
    },
  },
  summary: "List workspaces that hosts have and a restored database does not explain, which are kept as they are; or decide about one",
  async run({ db, clock, operator, reason, print }, { options }) {
    if (options["restored-otherwise"] === true) {
      if ((await listHosts(db)).some(({ isHeard }) => isHeard)) throw new CommandRefused("Nothing was changed. Stop the service first.");
      await db.transaction(async (tx) => {
        await ageBeat(tx);
        await noteRestored(tx, clock.now());
      });
      return print("Noted. Start the service: each host compares what it has with the database, and keeps what that does not explain.");
    }
    const chosen = Object.entries(choices).filter(([option]) => options[option] !== undefined);
    if (chosen.length > 1) throw new CommandRefused("--keep-host, --keep-row and --done are used one at a time.");
    const list = await listFound(db);
    const [choice] = chosen;
    if (!choice) {
      for (const { id, host, account, isRunning, reason: why } of list)
        print(`${id}  ${host}  ${isRunning ? "runs" : "does not run"}  ${account?.name ?? "no account"}: ${foundWords[why]}`);
      return print(
        list.length === 0
          ? "Nothing waits for a decision."
          : "They are kept as they are. Decide about each: docs/runbooks/move-the-control-plane.md",
      );
    }
    const [option, right] = choice;
    const it = list.filter(({ id }) => id === String(options[option]).toLowerCase());
    if (it.length === 0) throw new CommandRefused("No workspace with this id waits for a decision.");
    if (!reason) throw new CommandRefused('Say why, for the audit log: --reason "ticket 7".');
    const { id: workspaceId, account } = it[0]!;
    if ((account === null) !== (right === "listed"))
      throw new CommandRefused(
        right === "listed"
          ? "It has an account: choose --keep-host or --keep-row."
          : "No account of this database has it: it can only be taken off the list, with --done.",
      );
    if (right === "host" && it.length > 1)
      throw new CommandRefused(
        `It is on several hosts (${it.map(({ host }) => host).join(", ")}). Stop it on the wrong ones, and choose --keep-row.`,
      );
    const now = clock.now();
    await db
      .transaction(async (tx) => {
        if (right === "host" && account) await refuseUnpaid(tx, account.id, now);
        for (const each of it)
          if (!(await settleFound(tx, each, right, now))) throw new CommandRefused(`Nothing was changed. ${wasSettled}`);
        const after = { workspaceId, right, operator, reason };
        await writeAudit(tx, { accountId: account?.id ?? null, userId: null, action: "workspace.found-settled", after }, now);
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof AppError) || !account) throw error;
        throw new CommandRefused(`Nothing was changed. ${await describeRefusal(error, db, account, now)}`);
      });
    print(right === "listed" ? "It is off the list, and stays as it is." : "Its worker continues with it.");
  },
};

const wasSettled = "Another operator has just decided about it. See what is left: npm run ops -- found";

/**
 * Throws AppError `subscription_required` if the workspace would come back from its deletion, and nothing allows the account one;
 * `account_suspended` or `account_closed` like `settleFound`.
 */
async function refuseUnpaid(tx: Connection, accountId: string, now: Date): Promise<void> {
  // In the order in which payments lock them.
  const subscription = await lockSubscription(tx, accountId);
  await refuseHeld(tx, accountId);
  const workspace = await lockWorkspace(tx, accountId);
  if (workspace?.desiredState === "deleted" && !allowsWorkspace(subscription, now)) throw new AppError("subscription_required");
}

/** What an operator does about it. */
async function describeRefusal(error: AppError, db: Database, { id, name }: { id: string; name: string }, now: Date): Promise<string> {
  if (error.code === "subscription_required")
    return `Nothing allows ${name} a workspace. If it has paid since the dump, compare first: npm run ops -- reconcile. Otherwise give it a plan with set-plan or extend-trial, or choose --keep-row.`;
  if (error.code === "account_suspended")
    return `${name} is suspended. Lift the suspension first: npm run ops -- resume ${name}. Or choose --keep-row.`;
  if (error.code !== "account_closed") throw error;
  const closing = (await db.transaction((tx) => lockClosing(tx, id)))?.closing;
  if (closing && (closing.erasingSince || closing.eraseAt <= now)) return `${name} is being erased: choose --keep-row.`;
  return `${name} is closed. Reopen it first: npm run ops -- reopen ${name}. If it stays closed, choose --keep-row.`;
}
