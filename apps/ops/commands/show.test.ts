import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { accounts, auditLog, heldRefunds, invoices, mails, payments, subscriptions, users } from "#database/tables.ts";
import { findCustomers } from "#domain/journeys/assist-customer/find-customer.ts";
import { newId } from "#platform/ids.ts";
import { openTestBilling, subscribe } from "#testing/payments/test-billing.ts";
import { providerNames } from "#payments/providers.ts";
import type { OpsContext } from "../command.ts";
import { resendMail } from "./resend-mail.ts";
import { show } from "./show.ts";

test("whatever an operator was given leads to its account; what belongs to nobody is refused", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const strangerId = await subscribe(world);
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const [person] = await db.select().from(users).where(eq(users.accountId, accountId));
  const [bought] = await db.select().from(subscriptions).where(eq(subscriptions.accountId, accountId));
  const now = world.clock.now();
  const requestId = newId();
  await db.insert(auditLog).values({ at: now, accountId, action: "apps.selected", requestId });
  const provider = providerNames[0];
  const invoice = { id: newId(), accountId, provider, providerInvoiceId: "in_1", number: "SW-2027-000007", issuedAt: now };
  await db.insert(invoices).values({ ...invoice, description: "Pro", currency: "EUR", total: 6000, tax: 0, status: "paid" });
  const payment = { id: newId(), accountId, invoiceId: invoice.id, provider, providerPaymentId: "pay_1", at: now };
  await db.insert(payments).values({ ...payment, currency: "EUR", amount: 6000, status: "succeeded" });
  const given = [
    account!.name,
    account!.name.toUpperCase(),
    `https://${account!.name}.app.example.com:8443/workflow/12?x=1#y`,
    `${account!.name}.app.example.com`,
    person!.email.toUpperCase(),
    accountId,
    person!.id.toUpperCase(),
    "SW-2027-000007",
    "in_1",
    "pay_1",
    payment.id,
    bought!.providerCustomerId!,
    bought!.providerSubscriptionId!,
    requestId,
    ` ${account!.name} `,
  ];
  const where = { host: "app.example.com", providers: providerNames };
  for (const text of given)
    expect.soft([text, (await findCustomers(db, text, where)).map((each) => each.accountId)]).toEqual([text, [accountId]]);
  const strange = ["nobody", "x.example.com", "nobody@example.com", "pay_2", newId(), "'; drop table accounts", "", "."];
  for (const text of strange) expect.soft([text, await findCustomers(db, text, where)]).toEqual([text, []]);
  expect(strangerId).not.toBe(accountId);
});

test("shows people, money, mails and the next step, and one mail is sent again", async () => {
  const world = await openTestBilling();
  const { db } = world.database;
  const accountId = await subscribe(world);
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  const [person] = await db.select().from(users).where(eq(users.accountId, accountId));
  const lines: string[] = [];
  const context = {
    db,
    clock: world.clock,
    config: { publicUrl: "https://example.com" },
    operator: "ada",
    print: (line: string) => lines.push(line),
  };
  const run = async (command: typeof show, text: string) => {
    lines.length = 0;
    await command.run(context as unknown as OpsContext, { arguments: [text], options: {} });
    return lines.join("\n");
  };
  expect(await run(show, account!.name)).toContain("pro-1-monthly");
  const held = { provider: "sandbox", subscriptionId: "sub_yen", accountId, amount: 9800, currency: "JPY", heldAt: world.clock.now() };
  await db.insert(heldRefunds).values(held);
  expect(await run(show, account!.name)).toContain("npm run ops -- decide-refund sub_yen 9800 --yes");

  const mail = { recipient: person!.email, subject: "Your receipt", text: "Thank you", html: "", createdAt: world.clock.now() };
  const [failed, emptied] = [newId(), newId()];
  await db.insert(mails).values([
    { ...mail, id: failed, failedAt: world.clock.now(), lastError: "550 no such mailbox" },
    { ...mail, id: emptied, text: "", sentAt: world.clock.now() },
  ]);
  const shown = await run(show, account!.name);
  expect(shown).toContain(`The mail "Your receipt" was given up: 550 no such mailbox. Send it again: npm run ops -- resend-mail ${failed}`);
  expect(await run(resendMail, failed)).toContain("sent again within seconds");
  await expect(run(resendMail, failed)).rejects.toThrow("waiting to be sent already");
  await expect(run(resendMail, emptied)).rejects.toThrow("its text was deleted");
  await expect(run(resendMail, newId())).rejects.toThrow("There is no such mail");
  await expect(run(resendMail, "SW-1999-1")).rejects.toThrow("no paid invoice of the last 90 days");
  expect(await run(show, account!.name)).not.toContain("was given up");
});
