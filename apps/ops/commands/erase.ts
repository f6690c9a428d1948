import { findAccountId } from "#domain/accounts/account-store.ts";
import { lockClosing } from "#domain/accounts/closing-store.ts";
import { createBackupStorage } from "#domain/backups/storage/create-backup-storage.ts";
import { findSubscription } from "#domain/billing/subscription/subscription-store.ts";
import { stamp } from "#domain/journeys/assist-customer/next-steps.ts";
import { beginErasing, type NotBegun } from "#domain/journeys/close-account/erasing/erase-account.ts";
import { countRows, readErased } from "#domain/journeys/close-account/erasing/erase-rows.ts";
import { keptOf } from "#domain/journeys/close-account/erasing/erasure-list.ts";
import { join } from "node:path";
import { listMarked } from "#domain/journeys/close-account/erasing/erased-marks.ts";
import { noAccount } from "../account-of.ts";
import { CommandRefused, type Command, type OpsContext } from "../command.ts";

/** Erases a closed account now, or shows what its erasure does. */
export const erase: Command = {
  name: "erase",
  parameters: ["email or account name"],
  options: {
    name: { type: "string", summary: "the account's name, to confirm; without it, only what would go and what is kept is printed" },
    early: { type: "boolean", summary: "although the owner could still reopen the account" },
  },
  summary:
    "Erase a closed account: everything personal goes but what a law requires, and nothing takes that back. --reason is kept for good: name no person in it",
  asksWhy: true,
  async run(context, { arguments: [login = ""], options }) {
    const { db, clock, operator, reason = "", print, config } = context;
    const accountId = await findAccountId(db, login.toLowerCase());
    const account = accountId && (await db.transaction((tx) => lockClosing(tx, accountId)));
    if (!accountId || !account) throw noAccount(login);
    const { name, closing } = account;
    if (account.isErased) throw new CommandRefused(`${name} was erased already.`);
    if (!closing) throw new CommandRefused(`${name} is open. Close it first: npm run ops -- close ${name} --reason "…"`);
    if (options["name"] === undefined) {
      await printPlan(context, accountId);
      const isEarly = closing.eraseAt > clock.now();
      print("");
      print(
        isEarly
          ? `Nothing was erased. Its owner can reopen ${name} until ${stamp(closing.eraseAt)}; to erase it before: --name ${name} --early`
          : `Nothing was erased by this command. The worker has been trying to erase ${name} since ${stamp(closing.eraseAt)}; to try again now: --name ${name}`,
      );
      return;
    }
    if (options["name"] !== name) throw new CommandRefused(`--name must be the account's name: ${name}.`);
    const parts = { db, clock, supportEmail: config.supportEmail };
    const refused = await beginErasing(parts, accountId, { operator, reason, early: options["early"] === true });
    if (refused === "begun") {
      const since = closing.erasingSince ? `, at ${stamp(closing.erasingSince)}` : "";
      print(
        `The erasure of ${name} had begun before${since}. The worker tries again now. Who ordered it and why stays as it was recorded then.`,
      );
      return;
    }
    if (refused) throw new CommandRefused(whyNot(refused, name));
    print(
      `The erasure of ${name} has begun, and nothing takes it back. The owner is told by mail; then the worker erases it within minutes.`,
    );
  },
};

const whyNot = (refused: Exclude<NotBegun, "begun">, name: string): string =>
  ({
    open: `${name} was reopened.`,
    erased: `${name} was erased already.`,
    early: `Its owner can still reopen ${name}. To erase it before its day, add --early.`,
    comparison:
      "The database was restored, and not compared with the payment provider yet. Try again once it was: npm run ops -- reconcile",
    money: `Money of ${name} is not settled: a subscription, a payment page, an invoice, a dispute, a refund, or a message of the payment provider that is not handled. npm run ops -- show ${name}`,
  })[refused];

async function printPlan({ db, print }: OpsContext, accountId: string): Promise<void> {
  const erased = (await readErased(db, accountId))!;
  const counts = (await countRows(db, erased)).filter(({ rows }) => rows > 0);
  print("Deleted:");
  for (const { table, rows, isKept } of counts) if (!isKept) print(`  ${table}: ${rows}`);
  print("  the files of backups and exports");
  print("Kept, without anything else:");
  for (const { table, columns, why } of keptOf()) {
    const rows = counts.find((each) => each.table === table)?.rows ?? 0;
    if (rows > 0) print(`  ${table}: ${rows} (${columns.join(", ")}): ${why}`);
  }
  const subscription = await findSubscription(db, accountId);
  if (subscription?.provider)
    print(
      `Not ours to erase: the customer ${subscription.providerCustomerId ?? "of this account"} at ${subscription.provider}. Delete it there once no law requires it.`,
    );
}

/** How many accounts were erased, as the marks beside the backups say. */
export const countErased = async ({ config }: Pick<OpsContext, "config">): Promise<number> =>
  (await listMarked(await createBackupStorage(config.backupsUrl, join(config.dataDir, "backups")))).length;
