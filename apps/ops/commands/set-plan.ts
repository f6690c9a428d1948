import { assignPlan, extendTrial } from "#domain/billing/assign-plan.ts";
import { findAccountId } from "#domain/accounts/account-store.ts";
import { renderBillingMail } from "#domain/mail/templates/billing-mails.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

/** Gives a customer a plan that is billed outside, such as Enterprise by invoice. */
export const setPlan: Command = {
  name: "set-plan",
  parameters: ["email or account name", "plan"],
  summary: "Give this customer a plan that is billed outside of the payment provider, such as enterprise-yearly",
  async run(context, { arguments: [login = "", planId = ""] }) {
    const refusal = await assignPlan(parts(context), await accountOf(context, login), planId, context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(`${login} has ${planId} now.`);
  },
};

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

const parts = ({ db, clock, log, config }: OpsContext) => ({ db, clock, log, renderMail: (mail: Parameters<typeof renderBillingMail>[0]) => renderBillingMail(mail, config.publicUrl) });

async function accountOf({ db }: OpsContext, login: string): Promise<string> {
  const accountId = await findAccountId(db, login.toLowerCase());
  if (!accountId) throw new CommandRefused(`Nobody with an account has the e-mail address or account name ${login}.`);
  return accountId;
}
