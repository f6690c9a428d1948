import { assignPlan, endPlan, extendTrial } from "#domain/billing/subscription/assign-plan.ts";
import { after, dayMs, secondMs } from "#platform/clock.ts";
import { openBilling } from "../../program/parts/open-billing.ts";
import { accountOf } from "../account-of.ts";
import { CommandRefused, type Command, type CommandInput, type OpsContext } from "../command.ts";

/** Gives a customer a plan billed outside the payment provider, such as Enterprise by invoice. */
export const setPlan: Command = {
  name: "set-plan",
  parameters: ["email or account name", "plan"],
  options: {
    until: { type: "string", summary: "the last day of the plan in UTC, such as 2027-12-31" },
    "no-end": { type: "boolean", summary: "the plan runs until it is replaced" },
  },
  summary: "Give this customer a plan billed outside the payment provider, such as enterprise-yearly, or renew it",
  async run(context, { arguments: [login = "", planId = ""], options }) {
    const until = readEnd(options);
    const refusal = await assignPlan(parts(context), await accountOf(context, login), planId, until, context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(`${login} now has ${planId} ${until ? `until ${until.toISOString()}` : "with no end date"}.`);
  },
};

/** Ends such a plan. */
export const takePlanBack: Command = {
  name: "end-plan",
  parameters: ["email or account name"],
  summary: "End a plan given by set-plan now",
  async run(context, { arguments: [login = ""] }) {
    const refusal = await endPlan(parts(context), await accountOf(context, login), context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(
      `The plan of ${login} has ended. The workspace stops now and is deleted in 30 days, unless the customer has a plan by then.`,
    );
  },
};

/** One of the two is required, because a plan without an end is free forever. */
function readEnd({ until, "no-end": noEnd }: CommandInput["options"]): Date | null {
  if ((until === undefined) === (noEnd !== true))
    throw new CommandRefused("Specify either the last day, such as --until 2027-12-31, or --no-end.");
  return noEnd ? null : readLastDay(until);
}

/** The last second of the day in `--until`, so that mails and the panel name that day. Throws CommandRefused. */
export function readLastDay(until: string | boolean | undefined): Date {
  const day = isoDay.test(String(until)) ? new Date(`${String(until)}T00:00:00Z`) : new Date(NaN);
  // An invalid day such as February 30 would become one of the next month.
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== until)
    throw new CommandRefused("--until must be a day such as 2027-12-31.");
  return after(day, dayMs - secondMs);
}
const isoDay = /^\d{4}-\d{2}-\d{2}$/;

/** Extends a customer's trial. */
export const longerTrial: Command = {
  name: "extend-trial",
  parameters: ["email or account name", "days"],
  summary: "Extend this customer's trial by this many days, even if it is over",
  async run(context, { arguments: [login = "", typed = ""] }) {
    const days = Number(typed);
    if (!Number.isInteger(days) || days < 1 || days > 365) throw new CommandRefused("The number of days must be from 1 to 365.");
    const refusal = await extendTrial(parts(context), await accountOf(context, login), days, context.operator);
    if (refusal) throw new CommandRefused(refusal);
    context.print(`The trial of ${login} was extended by ${days} days.`);
  },
};

const parts = ({ db, clock, secrets, log, config }: OpsContext) => openBilling(config, { db, clock, secrets, log });
