import { findOwner } from "#domain/accounts/credential-store.ts";
import { resumeAccount } from "#domain/journeys/suspend-account/resume-account.ts";
import { suspendAccount } from "#domain/journeys/suspend-account/suspend-account.ts";
import { readCustomerFacts } from "#domain/journeys/assist-customer/customer-facts.ts";
import { paymentsGoOn, stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { oneLine } from "#domain/mail/rendering/mail-content.ts";
import { accountOf, noAccount } from "../account-of.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";
import { readLastDay } from "./set-plan.ts";

/** As much as the panel's page and the mail show well. */
export const longestReason = 500;

/** Stops a customer's workspace, such as an abuser's, until the suspension ends. */
export const suspend: Command = {
  name: "suspend",
  parameters: ["email or account name"],
  options: { until: { type: "string", summary: "the last day of the suspension in UTC, such as 2027-12-31; without it, until `resume`" } },
  summary:
    "Stop this customer's workspace and keep it stopped: no payment, restart or visitor starts it. The owner reads --reason in the panel and a mail",
  asksWhy: true,
  async run(context, { arguments: [login = ""], options }) {
    const { clock, operator, reason = "", print } = context;
    const until = options["until"] === undefined ? null : readLastDay(options["until"]);
    if (until && until <= clock.now()) throw new CommandRefused("--until must not be over.");
    if (reason.length > longestReason) throw new CommandRefused(`--reason may have ${longestReason} characters: the owner reads it.`);
    const account = await namedAccount(context, login);
    const parts = { ...context, publicUrl: context.config.publicUrl, supportEmail: context.config.supportEmail };
    const { wasSuspended } = await suspendAccount(parts, account, { by: operator, reason: oneLine(reason), until });
    const end = until ? `until ${stamp(until)}` : "until it is lifted";
    print(
      wasSuspended
        ? `${account.accountName} was suspended already; its reason and end are replaced: ${end}.`
        : `${account.accountName} is suspended ${end}. Its workspace stops now, and its data is kept. The owner is told by mail.`,
    );
    const line = paymentsGoOn((await readCustomerFacts(context.db, account.accountId))!);
    if (line) print(line);
  },
};

/** Lifts a suspension. */
export const resume: Command = {
  name: "resume",
  parameters: ["email or account name"],
  summary: "Lift this customer's suspension: the workspace becomes what it was before, or what was paid for meanwhile",
  asksWhy: true,
  async run(context, { arguments: [login = ""] }) {
    const { operator, reason, print, config } = context;
    const { accountId, accountName } = await namedAccount(context, login);
    const parts = { ...context, publicUrl: config.publicUrl, lastBackupDays: config.lastBackupDays };
    if (!(await resumeAccount(parts, accountId, { operator, reason }))) throw new CommandRefused(`${accountName} is not suspended.`);
    print(`${accountName} is no longer suspended. Its workspace becomes what it was before. The owner is told by mail.`);
  },
};

/** The account of this login. Throws CommandRefused if there is none, or none with an owner. */
export async function namedAccount(context: OpsContext, login: string) {
  const accountId = await accountOf(context, login);
  const owner = await findOwner(context.db, accountId);
  if (!owner) throw noAccount(login);
  return { accountId, accountName: owner.accountName };
}
