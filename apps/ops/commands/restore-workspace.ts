import { listRestorable, restoreForCustomer, type PlannedRestore } from "#domain/journeys/assist-customer/restore-for-customer.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import type { ProblemCode } from "#contract/api/problem.ts";
import { AppError } from "#platform/app-error.ts";
import { isId } from "#platform/ids.ts";
import { CommandRefused, type Command } from "../command.ts";
import { namedAccount } from "./suspend.ts";

/** Two months of nightly ones, for two workspaces. */
const mostListed = 120;

/** Restores any backup that an account still has: into its workspace, or as a new workspace after a deletion. */
export const restoreWorkspace: Command = {
  name: "restore-workspace",
  parameters: ["email or account name"],
  options: {
    backup: { type: "string", summary: "the id of a backup, as this command lists them; or `newest`, to show what that one would do" },
    confirm: { type: "string", summary: "the account's name: do it; without this option, only show what would happen" },
  },
  summary:
    "List this customer's backups, also those of deleted workspaces, and restore one: into the workspace that runs, whose contents are backed up first, or as a new workspace",
  async run(context, { arguments: [login = ""], options }) {
    const { db, clock, operator, reason, config, print } = context;
    const account = await namedAccount(context, login);
    const { accountName } = account;
    const made = await listRestorable(db, account.accountId, mostListed);
    if (typeof options["backup"] !== "string") {
      if (options["confirm"] !== undefined) throw new CommandRefused("Say which one: --backup with an id.");
      for (const { id, kind, createdAt, engineVersion, workflows, keptUntil, isOfThisLife } of made)
        print(
          `${id}  ${stamp(createdAt)}  ${kind}  ${engineVersion}  ${workflows ?? "?"} workflows  kept until ${keptUntil ? stamp(keptUntil) : "?"}${isOfThisLife ? "" : "  (of an earlier, deleted workspace)"}`,
        );
      return print(made.length === 0 ? `${accountName} has no backup.` : `Show what restoring one does: --backup ID, or --backup newest.`);
    }
    const isNewest = options["backup"] === "newest";
    // The one before a restore has what that restore replaced.
    const backupId = isNewest ? made.find(({ kind }) => kind !== "before-restore")?.id : options["backup"].toLowerCase();
    if (backupId === undefined)
      throw new CommandRefused(
        made.length === 0
          ? `${accountName} has no backup.`
          : `${accountName} has only backups of what a restore replaced: name one by its id.`,
      );
    if (!isId(backupId)) throw new CommandRefused("--backup is the id of a backup, as this command lists them, or `newest`.");
    const isTrial = options["confirm"] === undefined;
    // Another one may have been made since the operator saw what would happen.
    if (isNewest && !isTrial) throw new CommandRefused(`Nothing was changed. Name the backup by its id: --backup ${backupId}`);
    if (!isTrial && options["confirm"] !== accountName)
      throw new CommandRefused(`Nothing was changed. To restore it, type the account's name: --confirm ${accountName}`);
    if (!isTrial && !reason) throw new CommandRefused('Say why, for the audit log: --reason "ticket 7".');
    const wish = { backupId, lastBackupDays: config.lastBackupDays, isTrial };
    const planned = await restoreForCustomer({ db, clock }, account, { operator, reason }, wish).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new CommandRefused(`Nothing was changed. ${refusals[error.code]?.(accountName) ?? error.message}`);
    });
    print(describe(planned, accountName, isTrial));
    print(
      isTrial
        ? `Nothing was changed. To do it: --backup ${backupId} --confirm ${accountName} --reason "…"`
        : `Follow it: npm run ops -- workspace ${accountName}`,
    );
  },
};

function describe({ kind, backup, workspace }: PlannedRestore, accountName: string, isTrial: boolean): string {
  const of = `the ${backup.kind} backup of ${stamp(backup.createdAt)}`;
  if (kind === "replaced")
    return `${isTrial ? "This replaces" : "Now being replaced:"} all workflows, credentials and executions of ${accountName} by ${of}. What is there now is backed up first, if it runs.`;
  return `${isTrial ? "This makes" : "Now being made:"} a new workspace for ${accountName} (${workspace.engine} ${workspace.desiredVersion}) with the contents of ${of}.`;
}

/** What an operator does about it. */
const refusals: Readonly<Partial<Record<ProblemCode, (accountName: string) => string>>> = {
  backup_not_usable: (name) => `${name} has no such backup, or it is gone, or the account never had a workspace.`,
  workspace_not_online: (name) =>
    `The workspace of ${name} is stopped. It is restored once it should run: npm run ops -- show ${name} says what stops it.`,
  workspace_exists: (name) =>
    `The workspace of ${name} is still being deleted. Run this again once it is gone: npm run ops -- workspace ${name}`,
  subscription_required: (name) => `Nothing allows ${name} a workspace. Give it a plan first, with set-plan or extend-trial.`,
  account_suspended: (name) => `${name} is suspended. Lift the suspension first: npm run ops -- resume ${name}`,
  account_closed: (name) => `${name} is closed. Reopen it first: npm run ops -- reopen ${name}`,
};
