import { formatMoney } from "#contract/billing/money/format-money.ts";
import { closeFindings, listFindings, type Finding } from "#domain/billing/reconcile/finding-store.ts";
import { reconcile, reconcileSince } from "#domain/billing/reconcile/reconcile.ts";
import { openBilling } from "../../program/parts/open-billing.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Compares our rows with the payment provider's lists, as the service does each night and after a restored dump. */
export const reconcileCommand: Command = {
  name: "reconcile",
  options: {
    since: { type: "string", summary: "the first day (UTC) of the provider's lists, such as 2027-03-01" },
    "dry-run": { type: "boolean", summary: "only show what would be done" },
    "end-test-purchases": { type: "string", summary: "how many plans that were bought with test keys may end now; with more, none does" },
    list: { type: "boolean", summary: "only show what awaits a decision" },
    done: { type: "string", summary: "take this customer or subscription off the list: you have settled it" },
  },
  summary: "Compare all accounts with the payment provider, bring them up to date, and list what no account explains",
  async run({ config, db, secrets, clock, log, operator, print }, { options }) {
    const { since: day, "dry-run": dryRun = false, "end-test-purchases": endTestPurchases, list = false, done } = options;
    if (typeof done === "string") {
      if ((await closeFindings(db, done, operator, clock.now())) === 0) throw new CommandRefused(`${done} is not on the list.`);
      return print(`${done} was taken off the list.`);
    }
    if (list !== true) {
      const billing = openBilling(config, { db, clock, secrets, log });
      const since = typeof day === "string" ? readDay(day) : await reconcileSince(billing);
      const { listed, compared, healed, findings } = await reconcile(billing, {
        since,
        dryRun: dryRun === true,
        testPurchases: endTestPurchases === undefined ? null : readCount(endTestPurchases),
      });
      const { customers, subscriptions, invoices } = listed;
      print(
        `${billing.provider.name} since ${since.toISOString()}: ${customers} customers, ${subscriptions} subscriptions, ${invoices} invoices.`,
      );
      for (const { accountId, what } of healed) print(`${dryRun === true ? "would change" : "changed"}  ${accountId}: ${what}`);
      print(`${compared} accounts compared, ${healed.length} ${dryRun === true ? "would be changed" : "changed"}.`);
      if (dryRun === true) {
        for (const finding of findings) print(lineOf(finding, finding.accountId));
        return print("Nothing was written.");
      }
    }
    const open = await listFindings(db);
    if (open.length === 0) return print("Nothing awaits a decision.");
    for (const finding of open) print(lineOf(finding, finding.accountName));
    print(`${open.length} ${open.length === 1 ? "entry awaits" : "entries await"} a decision; --done takes one off the list.`);
  },
};

const lineOf = ({ kind, objectId, name, paid, detail }: Omit<Finding, "kind"> & { kind: string }, account: string | null): string => {
  const sums = Object.entries(paid).map(([currency, amount]) => formatMoney({ amount, currency }));
  return [kind, objectId, name || "no name", account ?? "no account", sums.join(" + ") || "nothing paid", detail].join("  ");
};

function readCount(typed: string | boolean): number {
  const count = Number(typed);
  if (!Number.isInteger(count) || count < 1) throw new CommandRefused("--end-test-purchases must be a number such as 4.");
  return count;
}

function readDay(day: string): Date {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(NaN);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw new CommandRefused("--since must be a day such as 2027-03-01.");
  return at;
}
