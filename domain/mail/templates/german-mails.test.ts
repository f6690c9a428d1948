import { expect, test } from "vitest";
import { say } from "#contract/sentences/say.ts";
import type { Mail } from "../mail.ts";
import type { MailLanguage } from "../rendering/mail-words.ts";
import { confirmEmailMail } from "./accounts/confirm-email-mail.ts";
import * as credentials from "./accounts/credential-mails.ts";
import * as suspension from "./accounts/suspension-mails.ts";
import { welcomeMail } from "./billing/billing-mails.ts";
import { cardExpiresMail, correctionMail, renewalMail } from "./billing/receipt-mail.ts";
import { exportReadyMail } from "./workspaces/export-mail.ts";
import { invitationMail } from "./workspaces/invitation-mail.ts";
import { updateMail } from "./workspaces/update-mail.ts";
import { usageMail } from "./workspaces/usage-mail.ts";
import { workspaceDeletedMail } from "./workspaces/workspace-deleted-mail.ts";

const link = "https://app.example.com/x?token=abc";
const at = (day: string) => new Date(`2026-${day}T10:00:00Z`);
const person = (language: MailLanguage) => ({ email: "ada@example.com", fullName: "Ada", accountName: "acme", language });
const to = (language: MailLanguage) => ({ to: "ada@example.com", fullName: "Ada", accountName: "acme", language });
const versions = { engineName: "n8n", fromVersion: "1.0.0", toVersion: "2.0.0", reason: null, link };
const usage = { planName: "Pro", used: 8_000, limit: 10_000, timezone: "Europe/Berlin", resetsAt: at("12-01"), link };
const online = { status: 1, address: "acme.example.com" } as const;

/** Every mail whose reader's language is known; those about a subscription are in billing-mails.test.ts. */
const mails: Record<string, (language: MailLanguage) => Promise<Mail>> = {
  confirm: (language) => confirmEmailMail({ ...to(language), link }),
  reset: (language) => credentials.resetPasswordMail(person(language), link),
  "password changed": (language) => credentials.passwordChangedMail(person(language), link),
  claimed: (language) => credentials.mailboxClaimedMail(person(language), link),
  "change email": (language) => credentials.changeEmailMail(person(language), "new@example.com", link),
  "email taken": (language) => credentials.emailTakenMail(person(language), link),
  "change asked": (language) => credentials.emailChangeAskedMail(person(language), "new@example.com", link),
  changed: (language) => credentials.emailChangedMail(person(language), "new@example.com"),
  "magic link": (language) => credentials.magicLinkMail(person(language), link, online),
  "magic link without workspace": (language) => credentials.magicLinkMail(person(language), link, null),
  suspended: (language) =>
    suspension.suspendedMail(person(language), { reason: "Spam.", until: at("12-05"), supportEmail: "help@example.com", link }),
  "suspended, no end": (language) =>
    suspension.suspendedMail(person(language), { reason: "Spam.", until: null, supportEmail: "help@example.com", link }),
  resumed: (language) => suspension.resumedMail(person(language), link),
  welcome: (language) =>
    welcomeMail(
      {
        ...person(language),
        timezone: "Europe/Berlin",
        trialEndsAt: at("12-05"),
        now: at("11-21"),
        limits: { executions: 1_000, activeWorkflows: 1, users: -1 },
        lastBackupDays: 30,
      },
      "https://app.example.com",
    ),
  "card expires": (language) => cardExpiresMail({ ...person(language), card: "PayPal", month: 2, year: 2028 }, "https://app.example.com"),
  ...Object.fromEntries(
    (["refunded", "cancelled", "refund-failed", "credited"] as const).map((because) => [
      `correction: ${because}`,
      (language: MailLanguage) =>
        correctionMail(
          {
            ...person(language),
            because,
            total: { amount: 2856, currency: "EUR" },
            corrects: "2026-000122",
            document: { number: "2026-000123", pdf: Buffer.from("%PDF") },
          },
          "https://app.example.com",
        ),
    ]),
  ),
  renewal: (language) =>
    renewalMail(
      { ...person(language), timezone: "Europe/Berlin", planName: "Pro", at: at("12-24"), total: { amount: 130_000, currency: "EUR" } },
      "https://app.example.com",
    ),
  export: (language) => exportReadyMail({ ...to(language), link, withCredentials: true }),
  invitation: (language) => invitationMail({ ...to(language), inviterName: "Bob", workspaceUrl: "https://acme.example.com", link }),
  updated: (language) => updateMail("updated", { ...to(language), ...versions }),
  "taken back": (language) =>
    updateMail("taken-back", { ...to(language), ...versions, reason: say("updateNoBackup", { reason: say("failedNoRoom") }) }),
  stuck: (language) => updateMail("stuck", { ...to(language), ...versions }),
  back: (language) => updateMail("back", { ...to(language), ...versions }),
  nearly: (language) => usageMail("nearly", { ...to(language), ...usage }),
  reached: (language) => usageMail("reached", { ...to(language), ...usage }),
  deleted: (language) =>
    workspaceDeletedMail({ ...to(language), workspaceUrl: "https://acme.example.com", dashboardUrl: link, hasLastBackup: true }),
};

const links = ({ html }: Mail) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

test.each(Object.keys(mails))("the mail “%s” is German for a German reader, with the same links and without English", async (name) => {
  const [german, english, unknown] = [await mails[name]!("de"), await mails[name]!("en"), await mails[name]!(null)];
  expect(german.subject).not.toBe(english.subject);
  expect(unknown).toEqual(english);
  expect(german.html).toContain('lang="de"');
  expect(english.html).toContain('lang="en"');
  expect(links(german)).toEqual(links(english));
  expect(german.text).not.toMatch(/undefined|null|\b(your|the|and|you)\b/i);
  expect(english.text).not.toMatch(/[äöüß]/);
});

test("limits, numbers and days are written as Germans write them", async () => {
  const { text } = await mails["welcome"]!("de");
  expect(text).toContain("Enthalten sind 1.000 Ausführungen, 1 aktiver Workflow und unbegrenzt viele Personen.");
  expect(text).toContain("14 Tage, bis zum 5. Dezember 2026");
  expect((await mails["nearly"]!("de")).text).toContain("8.000 der 10.000 Ausführungen");
  expect((await mails["nearly"]!("de")).text).toContain("am 1. Dezember 2026");
});
