import { closeAccount, type NotClosed } from "#domain/journeys/close-account/close-account.ts";
import { reopenAccount } from "#domain/journeys/close-account/reopen-account.ts";
import type { ClosingBlocker } from "#contract/accounts/closing.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { oneLine } from "#domain/mail/rendering/mail-content.ts";
import { AppError } from "#platform/app-error.ts";
import { CommandRefused, type Command } from "../command.ts";
import { longestReason, namedAccount } from "./suspend.ts";

/** What an operator does about it. */
const waysOut: Readonly<Record<Exclude<ClosingBlocker, "suspension">, string>> = {
  subscription: "a subscription runs or is owed: cancel it at the provider, which ends it, or take the arranged plan back",
  checkout: "a payment page is open, or its outcome is not read yet: a payment may still arrive",
  invoice: "an invoice or a payment is open",
  dispute: "a payment is disputed",
  refund: "a refund or a finding waits for your decision",
};

/** Closes a customer's account, for them or against them. */
export const close: Command = {
  name: "close",
  parameters: ["email or account name"],
  summary:
    "Close this customer's account: its workspace is deleted after a last backup, and after CLOSED_ACCOUNT_DAYS it can't be reopened and is erased. The owner reads --reason in the panel and a mail",
  asksWhy: true,
  async run(context, { arguments: [login = ""] }) {
    const { operator, reason = "", print, config } = context;
    if (reason.length > longestReason) throw new CommandRefused(`--reason may have ${longestReason} characters: the owner reads it.`);
    const { accountId, accountName } = await namedAccount(context, login);
    const parts = { ...context, publicUrl: config.publicUrl, closedAccountDays: config.closedAccountDays };
    const done = await closeAccount(parts, accountId, { kind: "operator", operator, reason: oneLine(reason) });
    if ("blockers" in done) throw new CommandRefused(whyNot(accountName, done));
    print(`${accountName} is closed. Its workspace is being deleted after a last backup, and all sessions are ended.`);
    print(`The owner is told by mail, and can reopen the account until ${stamp(done.eraseAt)}. Then it is erased.`);
  },
};

function whyNot(accountName: string, { blockers }: NotClosed): string {
  if (blockers.length === 0) return `${accountName} is closed already.`;
  const lines = blockers.flatMap(({ kind, until }) =>
    kind === "suspension" ? [] : [`  ${waysOut[kind]}${until ? `, until ${stamp(until)}` : ""}`],
  );
  return [`${accountName} can't be closed:`, ...lines].join("\n");
}

/** Reopens a closed account for its owner. */
export const reopen: Command = {
  name: "reopen",
  parameters: ["email or account name"],
  summary:
    "Reopen this customer's closed account, whoever closed it, until its day (CLOSED_ACCOUNT_DAYS) and unless it is suspended or being erased: a workspace that was running comes back with its last backup, if its plan has not ended",
  asksWhy: true,
  async run(context, { arguments: [login = ""] }) {
    const { operator, reason, print, config } = context;
    const { accountId, accountName } = await namedAccount(context, login);
    const parts = { ...context, publicUrl: config.publicUrl, lastBackupDays: config.lastBackupDays };
    const isOpen = await reopenAccount(parts, accountId, { operator, reason }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "account_suspended") throw error;
      throw new CommandRefused(`${accountName} is suspended. Lift the suspension first: npm run ops -- resume ${accountName}`);
    });
    if (!isOpen) throw new CommandRefused(`${accountName} is not closed, or its day is over, or its erasure has begun.`);
    print(
      `${accountName} is open again. If its workspace was running before and its plan has not ended, it comes back from its last backup. The owner is told by mail.`,
    );
  },
};
