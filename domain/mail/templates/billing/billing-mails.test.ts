import { expect, test } from "vitest";
import { billingMailNames, type BillingMail, type BillingMailName } from "#domain/mail/templates/billing/billing-mail.ts";
import { renderBillingMail, welcomeMail } from "./billing-mails.ts";
import { cardExpiresMail, receiptMail } from "./receipt-mail.ts";

const at = (day: string) => new Date(`2026-${day}T10:00:00Z`);
const panel = "https://app.example.com";
const facts = {
  accountId: "1",
  email: "ada@example.com",
  fullName: "Ada Lovelace",
  language: null,
  timezone: "Etc/UTC",
  accountName: "acme",
  at: at("11-21"),
  planName: "Pro",
  nextPlanName: "Starter",
  periodEndsAt: at("11-24"),
  deletionAt: at("12-01"),
  retries: [
    { at: at("11-21"), outcome: "failed" as const },
    { at: at("11-22"), outcome: "planned" as const },
    { at: at("11-24"), outcome: "planned" as const },
  ],
  refunded: { amount: 7140, currency: "USD" },
  isTrial: false,
  workspace: "kept" as const,
  lastBackup: { madeAt: at("12-01"), keptUntil: at("12-31") },
  begins: null,
  isSuspended: false,
  lastBackupDays: 30,
};
const build = (name: BillingMailName, changes: Partial<BillingMail> = {}) => renderBillingMail({ ...facts, name, ...changes }, panel);

/** What each mail must say, in its subject and in both parts, and where its button leads. */
const said: Record<BillingMailName, [subject: string, words: string[], link: string]> = {
  "subscription-started": [
    "Your Pro plan is active",
    ["renews on 24 November 2026", "receipt follows in a separate email"],
    "/manage/billing",
  ],
  "plan-changed": ["Your plan is now Pro", ["next payment is on 24 November 2026", "next restart"], "/manage/billing"],
  "plan-arranged": ["Your Pro plan is active", ["as agreed with you", "ends on 24 November 2026"], "/manage/billing"],
  "arranged-plan-ending": [
    "Your Pro plan ends in 3 days",
    ["ends on 24 November 2026", "contact support", "30 days later it is deleted"],
    "/manage/billing",
  ],
  "arranged-plan-ended": [
    "Your Pro plan has ended: your workspace is stopped",
    ["deleted on 1 December 2026", "Contact support to renew"],
    "/account/change-plan",
  ],
  "change-scheduled": [
    "Your plan changes to Starter on 24 November 2026",
    ["keep the Pro plan until 24 November 2026", "undo this"],
    "/manage/billing",
  ],
  "trial-ending": [
    "Your trial ends in 3 days",
    ["acme ends on 24 November 2026", "7 days later it is deleted", "last backup is then kept for 30 days"],
    "/account/change-plan",
  ],
  "subscription-ending": [
    "Your plan ends in 3 days",
    [
      "ends on 24 November 2026",
      "deleted with its workflows and credentials as soon as a last backup is made and verified",
      "last backup is then kept for 30 days",
      "everything comes back from it",
    ],
    "/manage/billing",
  ],
  "trial-ended": [
    "Your trial has ended: your workspace is stopped",
    ["deleted on 1 December 2026", "everything is kept", "last backup is then kept for 30 days"],
    "/account/change-plan",
  ],
  "payment-failed": [
    "Your payment failed",
    ["We will try again on 22 November 2026 and 24 November 2026", "keeps running"],
    "/manage/billing",
  ],
  "payment-action-required": [
    "Your bank asks you to confirm a payment",
    ["on hold until you do", "22 November 2026 and 24 November 2026"],
    "/manage/billing",
  ],
  "payment-recovered": ["Payment received: your plan is active again", ["Thank you", "starting now"], "/manage/billing"],
  "subscription-paused": [
    "Your subscription is paused: your workspace is stopped",
    ["No payment went through", "deleted on 1 December 2026", "last backup is then kept for 30 days"],
    "/manage/billing",
  ],
  "pause-requested": [
    "Your subscription is paused, as requested",
    ["paused on request", "Nothing is charged", "Its data is kept"],
    "/manage/billing",
  ],
  "pause-ended": ["Your plan is active again", ["The pause is over", "is starting now"], "/manage/billing"],
  "cancel-confirmed": [
    "Your plan is cancelled",
    [
      "until 24 November 2026",
      "will not be charged again",
      "On 24 November 2026 the workspace stops, and it is deleted with its workflows and credentials",
      "last backup is then kept for 30 days",
      "everything comes back from it",
      "Resubscribe",
    ],
    "/manage/billing",
  ],
  "cancel-undone": ["Your plan continues", ["nothing is deleted", "next payment is on 24 November 2026"], "/manage/billing"],
  "subscription-ended": [
    "Your plan has ended: your workspace is stopped",
    ["deleted on 1 December 2026", "last backup is then kept for 30 days"],
    "/manage/billing",
  ],
  "duplicate-refunded": [
    "You paid twice: we are refunding one payment",
    ["keep the Pro plan", "refunding $71.40", "as refunded"],
    "/manage/billing",
  ],
  "deletion-warning": [
    "Your workspace acme will be deleted in 10 days",
    ["deleted on 1 December 2026", "last backup is then kept for 30 days", "export"],
    "/account/change-plan",
  ],
  "workspace-deleted": [
    "Your workspace acme was deleted",
    ["last backup, of 1 December 2026, is kept until 31 December 2026", "everything comes back from it, at the same URL", "Backups page"],
    "/account/change-plan",
  ],
};

test.each(billingMailNames)("%s says what happened, when, and what to do, in both parts", async (name) => {
  const [subject, words, path] = said[name];
  const mail = await build(name);
  expect(mail.subject).toBe(subject);
  expect(mail.recipient).toBe("ada@example.com");
  expect(mail.text.split("\n")).toContain(panel + path);
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain("Hi Ada Lovelace,");
    for (const word of words) expect(part).toContain(word);
    expect(part).not.toMatch(/undefined|null|Invalid Date|\[object/);
  }
  expect(mail.html).toContain(`href="${panel}${path}"`);
});

test.each(billingMailNames)("%s can be written without any dates", async (name) => {
  const mail = await build(name, { periodEndsAt: null, deletionAt: null, lastBackup: null, retries: [] });
  expect(`${mail.subject} ${mail.text}`).not.toMatch(/undefined|null|Invalid Date/);
});

test("a day before its end a trial ends tomorrow", async () => {
  expect((await build("trial-ending", { at: at("11-23") })).subject).toBe("Your trial ends tomorrow");
});

test("after the last attempt no more are promised", async () => {
  const { text } = await build("payment-failed", { retries: [{ at: at("11-21"), outcome: "failed" }] });
  expect(text).toContain("This was the last attempt");
  expect(text).not.toContain("We will try again");
});

test("markup in a name is shown as text", async () => {
  const { html } = await build("trial-ended", { fullName: "<b>Eve</b>\r\nBcc: x" });
  expect(html).toContain("&lt;b&gt;Eve&lt;/b&gt; Bcc: x");
});

test("the welcome states the end of the trial and its limits", async () => {
  const limits = { executions: 1000, activeWorkflows: 5, users: 1 };
  const lastBackupDays = 45;
  const { subject, text } = await welcomeMail(
    {
      email: "ada@example.com",
      fullName: "Ada",
      language: null,
      timezone: "Etc/UTC",
      trialEndsAt: at("12-05"),
      now: at("11-21"),
      limits,
      lastBackupDays,
    },
    panel,
  );
  expect(subject).toContain("trial has started");
  expect(text).toContain("for 14 days, until 5 December 2026");
  expect(text).toContain("It includes 1,000 executions, 5 active workflows and 1 person.");
  expect(text).toContain("A last backup is then kept for 45 days.");
  expect(text).not.toContain("Pro");
});

test.each([
  [{ amount: 6545, currency: "EUR" }, "€65.45"],
  [{ amount: 6545, currency: "JPY" }, "¥6,545"],
  [{ amount: 6545, currency: "KWD" }, "KWD 6.545"],
])("a receipt of %j says %s and carries its invoice", async (received, words) => {
  const invoice = { number: "2026-000123", pdf: Buffer.from("%PDF") };
  const mail = await receiptMail(
    {
      email: "ada@example.com",
      fullName: "Ada",
      language: null,
      received,
      fromCredit: { ...received, amount: 0 },
      paidAt: at("11-21"),
      card: "Visa ending in 4242",
      invoice,
    },
    panel,
  );
  expect(mail.subject).toBe("Your receipt: invoice 2026-000123");
  expect(mail.text.replaceAll("\u00a0", " ")).toContain(`We received ${words} on 21 November 2026 by Visa ending in 4242.`);
  expect(mail.attachment).toEqual({ name: "2026-000123.pdf", type: "application/pdf", base64: Buffer.from("%PDF").toString("base64") });
});

test("a card is valid until the end of its month", async () => {
  const { text } = await cardExpiresMail(
    { email: "ada@example.com", fullName: "Ada", language: null, accountName: "acme", card: "Visa ending in 4242", month: 2, year: 2028 },
    panel,
  );
  expect(text).toContain("Visa ending in 4242 you use to pay for acme is valid until 29 February 2028");
});

test.each(billingMailNames)("%s is written in German for an owner who chose it, with the same button and no English", async (name) => {
  const [mail, english] = [await build(name, { language: "de" }), await build(name)];
  expect(mail.subject).not.toBe(english.subject);
  expect(mail.html).toContain('lang="de"');
  const links = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(links(mail.html)).toEqual(links(english.html));
  expect(mail.text).toContain("Hallo Ada Lovelace,");
  expect(mail.text).not.toMatch(/undefined|null|\b(your|the|and|you)\b/i);
});

test("dates and sums of a German mail are written as Germans write them", async () => {
  expect((await build("trial-ending", { language: "de" })).subject).toBe("Ihre Testphase endet in 3 Tagen");
  expect((await build("payment-failed", { language: "de" })).text).toContain("am 22. November 2026 und 24. November 2026");
  expect((await build("duplicate-refunded", { language: "de" })).text.replaceAll("\u00a0", " ")).toContain("Wir erstatten 71,40 $");
  const receipt = await receiptMail(
    {
      email: "ada@example.com",
      fullName: "Ada",
      language: "de",
      received: { amount: 654500, currency: "EUR" },
      fromCredit: { amount: 0, currency: "EUR" },
      paidAt: at("11-21"),
      card: "Visa mit der Endung 4242",
      invoice: { number: "2026-000123", pdf: Buffer.from("%PDF") },
    },
    panel,
  );
  expect(receipt.text.replaceAll("\u00a0", " ")).toContain(
    "Wir haben am 21. November 2026 6.545,00 € per Visa mit der Endung 4242 erhalten.",
  );
});

test("the end of a cancelled plan says that a last backup comes first, and promises no day before it is made", async () => {
  const { subject, text } = await build("subscription-ended", { at: at("11-24"), deletionAt: at("11-24"), lastBackup: null });
  expect(subject).toBe("Your plan has ended: your workspace acme is being deleted");
  expect(text).toContain("make a last backup and verify it, and then delete the workspace");
  expect(text).toContain("everything comes back from it");
  expect(text).not.toMatch(/kept until|exactly as it was/);
});

const aboutTheWorkspace = billingMailNames.filter((name) => /ending|ended|paused|cancel-confirmed/.test(name)) as BillingMailName[];
test.each(aboutTheWorkspace)("%s promises nothing to an owner who has deleted the workspace", async (name) => {
  for (const workspace of ["deleting", "deleted"] as const) {
    const mail = await build(name, { workspace, lastBackup: null });
    for (const part of [mail.subject, mail.text]) expect(part).not.toMatch(/is kept|as it was|stopped:|backup|it is deleted/);
  }
});

test("the mail about a deletion without a backup promises none", async () => {
  const { text, html } = await build("workspace-deleted", { lastBackup: null });
  for (const part of [text, html]) {
    expect(part).toContain("There is no backup of it");
    expect(part).not.toMatch(/is kept|comes back/);
  }
});

test("a payment that brings the workspace back says so; one that starts an empty one as well", async () => {
  expect((await build("subscription-started", { begins: "restored" })).text).toContain(
    "being restored from its last backup, of 1 December 2026",
  );
  const empty = (await build("subscription-started", { begins: "empty", lastBackup: null })).text;
  expect(empty).toContain("A new, empty workspace is starting");
  expect(empty).not.toContain("backup");
});

test.each(billingMailNames)("%s never promises a running workspace while the account is suspended", async (name) => {
  for (const language of ["en", "de"] as const) {
    const { text, html } = await build(name, { isSuspended: true, begins: "empty", language });
    for (const part of [text, html]) {
      expect(part).toMatch(/account is suspended|Konto ist gesperrt/);
      expect(part).not.toMatch(/is starting|keeps running|being restored|startet|Workspace läuft|wird .* wiederhergestellt/);
    }
  }
});

test.each(["trial-ended", "subscription-paused", "subscription-ended", "arranged-plan-ended"] as const)(
  "%s names no day of deletion while the account is suspended",
  async (name) => {
    expect((await build(name)).text).toContain("1 December 2026");
    expect((await build(name, { isSuspended: true })).text).not.toContain("1 December 2026");
  },
);

test("days are the reader's, as in the panel; without a known timezone they are UTC's, and say so", async () => {
  const lateInUtc = {
    periodEndsAt: new Date("2026-11-24T20:00:00Z"),
    retries: [{ at: new Date("2026-11-22T20:00:00Z"), outcome: "planned" as const }],
  };
  const inTokyo = await build("trial-ending", { ...lateInUtc, timezone: "Asia/Tokyo" });
  expect(inTokyo.subject).toBe("Your trial ends in 4 days");
  expect(inTokyo.text).toContain("acme ends on 25 November 2026.");
  expect((await build("trial-ending", { ...lateInUtc, timezone: "America/Lima", language: "de" })).text).toContain("24. November 2026");
  const unknown = { ...lateInUtc, timezone: null };
  expect((await build("trial-ending", unknown)).text).toContain("acme ends on 24 November 2026 (UTC).");
  expect((await build("trial-ending", { ...unknown, timezone: "Mars/Olympus" })).text).toContain("24 November 2026 (UTC)");
  const planned = await build("payment-failed", { ...unknown, language: "de" });
  expect(planned.text).toContain("22. November 2026 (UTC)");
});
