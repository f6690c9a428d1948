import { formatMoney } from "#contract/billing/money/format-money.ts";
import { plainAmount } from "#contract/billing/money/plain-amount.ts";
import { writeAudit } from "#domain/audit/audit-store.ts";
import { decideHeldRefund, listHeldRefunds } from "#domain/billing/provider-truth/held-refund-store.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Shows refunds that are too large to be made without a person. */
export const refundList: Command = {
  name: "refunds",
  summary: "Show refunds of second payments that wait for a person because they are larger than REFUND_LIMIT",
  async run({ db, print }) {
    const held = await listHeldRefunds(db);
    if (held.length === 0) return print("No refund waits for a decision.");
    for (const refund of held)
      print(
        `${refund.heldAt.toISOString()}  ${refund.accountName}: ${formatMoney(refund)} for ${refund.subscriptionId} (${refund.provider}). npm run ops -- decide-refund ${refund.subscriptionId} ${plainAmount(refund)} --yes`,
      );
  },
};

/** Agrees to such a refund, or declines it. */
export const decideRefund: Command = {
  name: "decide-refund",
  parameters: ["subscription", "sum"],
  options: {
    yes: { type: "boolean", summary: "refund it, end the second subscription and tell the customer" },
    no: { type: "boolean", summary: "leave the money where it is; the second subscription ends with its period" },
  },
  summary: "Decide about a refund that `refunds` lists; the sum is the one that it shows, such as 142.80",
  async run({ db, clock, operator, print }, { arguments: [subscriptionId = "", sum = ""], options: { yes, no } }) {
    if ((yes === true) === (no === true)) throw new CommandRefused("Specify either --yes or --no.");
    const held = (await listHeldRefunds(db)).find((each) => each.subscriptionId === subscriptionId);
    if (!held) throw new CommandRefused(`No refund for ${subscriptionId} waits for a decision.`);
    if (sum !== plainAmount(held))
      throw new CommandRefused(`The refund for ${subscriptionId} is ${plainAmount(held)} ${held.currency}, not ${sum}.`);
    const decision = yes ? "refund" : "keep";
    const now = clock.now();
    await db.transaction(async (tx) => {
      if (!(await decideHeldRefund(tx, held, decision, operator, now)))
        throw new CommandRefused(`The refund for ${subscriptionId} has changed meanwhile. List the refunds again.`);
      const after = { subscriptionId, decision, sum: formatMoney(held), operator };
      await writeAudit(tx, { accountId: held.accountId, userId: null, action: "subscription.refund-decided", after }, now);
    });
    print(
      yes
        ? `${formatMoney(held)} will be refunded to ${held.accountName} within a minute while the service runs.`
        : `Nothing is refunded to ${held.accountName}. The second subscription ends with its period.`,
    );
  },
};
