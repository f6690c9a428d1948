import { assignPlan, endPlan, extendTrial } from "#domain/billing/subscription/assign-plan.ts";
import { findAccountId } from "#domain/accounts/account-store.ts";
import { renderBillingMail } from "#domain/mail/templates/billing/billing-mails.ts";
import { after, dayMs, secondMs } from "#platform/clock.ts";
import { CommandRefused, type Command, type CommandInput, type OpsContext } from "../command.ts";

/** Gives a customer a plan that is billed outside, such as Enterprise by invoice. */
export const setPlan: Command = {
  name: "set-plan",
  parameters: ["email or account name", "plan"],
  options: {
    until: { type: "string", summary: "the last day of the plan in UTC, such as 2027-12-31" },
    "no-end": { type: "boolean", summary: "the plan runs until another one is given" },
  },
  summary: "Give this customer a plan that is billed outside of the payment provider, such as enterprise-yearly, or renew it",
  async run(context, { arguments: [login = "", planId = ""], options }) {
    const until = readEnd(options);
    const refusal = await assignPlan(parts(context), await accountOf(context, login), planId, until, context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(`${login} has ${planId} now, ${until ? `until ${until.toISOString()}` : "without an end"}.`);
  },
};

/** Takes such a plan back. */
export const takePlanBack: Command = {
  name: "end-plan",
  parameters: ["email or account name"],
  summary: "End now a plan that was given by set-plan",
  async run(context, { arguments: [login = ""] }) {
    const refusal = await endPlan(parts(context), await accountOf(context, login), context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(
      `The plan of ${login} has ended. The workspace stops now and is deleted in 30 days, unless the customer has a plan by then.`,
    );
  },
};

/** One of the two has to be said: a plan that nobody ends is free for ever. */
function readEnd({ until, "no-end": noEnd }: CommandInput["options"]): Date | null {
  if ((until === undefined) === (noEnd !== true))
    throw new CommandRefused("Say either --until and the last day, such as --until 2027-12-31, or --no-end.");
  if (noEnd) return null;
  const day = isoDay.test(String(until)) ? new Date(`${String(until)}T00:00:00Z`) : new Date(NaN);
  // A day that no month has would become one of the next month.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== until)
    throw new CommandRefused("--until must be a day such as 2027-12-31.");
  // Within the day that the operator said, so that mails and the panel name that day.
  return after(day, dayMs - secondMs);
}
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** Makes somebody's trial longer. */
export const longerTrial: Command = {
  name: "extend-trial",
  parameters: ["email or account name", "days"],
  summary: "Make this customer's trial so many days longer, also one that is over",
  async run(context, { arguments: [login = "", typed = ""] }) {
    const days = Number(typed);
    if (!Number.isInteger(days) || days < 1 || days > 365) throw new CommandRefused("The days must be a number from 1 to 365.");
    const refusal = await extendTrial(parts(context), await accountOf(context, login), days, context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(`The trial of ${login} is ${days} days longer.`);
  },
};

const parts = ({ db, clock, log, config }: OpsContext) => ({
  db,
  clock,
  log,
  renderMail: (mail: Parameters<typeof renderBillingMail>[0]) => renderBillingMail(mail, config.publicUrl),
});

async function accountOf({ db }: OpsContext, login: string): Promise<string> {
  const accountId = await findAccountId(db, login.toLowerCase());
  if (!accountId) throw new CommandRefused(`Nobody with an account has the e-mail address or account name ${login}.`);
  return accountId;
}
