/** Every mail about an account or a workspace, with facts of a usual customer and the links that its use case puts into it. */
import { say } from "#contract/sentences/say.ts";
import { billingMailNames, type BillingMail } from "#domain/mail/templates/billing/billing-mail.ts";
import { mailLinks } from "#domain/mail/mail-links.ts";
import type { Mail } from "#domain/mail/mail.ts";
import type { MailLanguage } from "#domain/mail/rendering/mail-words.ts";
import { confirmEmailMail } from "#domain/mail/templates/accounts/confirm-email-mail.ts";
import * as credentials from "#domain/mail/templates/accounts/credential-mails.ts";
import * as closing from "#domain/mail/templates/accounts/closing-mails.ts";
import * as suspension from "#domain/mail/templates/accounts/suspension-mails.ts";
import { renderBillingMail, welcomeMail } from "#domain/mail/templates/billing/billing-mails.ts";
import { cardExpiresMail, correctionMail, receiptMail, renewalMail } from "#domain/mail/templates/billing/receipt-mail.ts";
import { exportReadyMail } from "#domain/mail/templates/workspaces/export-mail.ts";
import { updateMail } from "#domain/mail/templates/workspaces/update-mail.ts";
import { usageMail } from "#domain/mail/templates/workspaces/usage-mail.ts";
import { workspaceDeletedMail } from "#domain/mail/templates/workspaces/workspace-deleted-mail.ts";

const at = (day: string) => new Date(`2026-${day}T10:00:00Z`);
const versions = { engineName: "n8n", fromVersion: "1.0.0", toVersion: "2.0.0", reason: null };
const online = { status: 1, address: "acme.example.com" } as const;
const charged = { amount: 2856, currency: "EUR" };
const invoice = { number: "2026-000123", pdf: Buffer.from("%PDF") };

/** To owners, by name: those to members and invited people lead into a workspace. */
export function everyMail(publicUrl: string, language: MailLanguage = null): Record<string, () => Promise<Mail>> {
  const links = mailLinks(publicUrl);
  const facts = { fullName: "Ada", accountName: "acme", language, timezone: "Europe/Berlin" };
  const person = { ...facts, email: "ada@example.com" };
  const to = { ...facts, to: "ada@example.com" };
  const usage = { ...to, planName: "Pro", used: 8_000, limit: 10_000, resetsAt: at("12-01"), link: links.plans };
  const updated = { ...to, ...versions, link: links.versions };
  const suspended = { reason: "Spam.", supportEmail: "help@example.com", link: links.dashboard };
  const billing: Omit<BillingMail, "name"> = {
    ...person,
    accountId: "1",
    at: at("11-21"),
    planName: "Pro",
    nextPlanName: "Starter",
    periodEndsAt: at("11-24"),
    deletionAt: at("12-01"),
    retries: [{ at: at("11-22"), outcome: "planned" }],
    refunded: charged,
    isTrial: false,
    workspace: "kept",
    lastBackup: { madeAt: at("12-01"), keptUntil: at("12-31") },
    begins: null,
    isSuspended: false,
    lastBackupDays: 30,
  };
  return {
    confirm: () => confirmEmailMail({ ...to, link: links.confirmEmail("a-token") }),
    reset: () => credentials.resetPasswordMail(person, links.resetPassword("a-token", person.email)),
    "password changed": () => credentials.passwordChangedMail(person, links.forgotPassword),
    claimed: () => credentials.mailboxClaimedMail(person, links.forgotPassword),
    "change email": () => credentials.changeEmailMail(person, "new@example.com", links.changeEmail("a-token")),
    "email taken": () => credentials.emailTakenMail(person, links.login),
    "change asked": () => credentials.emailChangeAskedMail(person, "new@example.com", links.forgotPassword),
    changed: () => credentials.emailChangedMail(person, "new@example.com"),
    "magic link": () => credentials.magicLinkMail(person, links.magicLink("a-token"), online),
    "magic link without workspace": () => credentials.magicLinkMail(person, links.magicLink("a-token"), null),
    suspended: () => suspension.suspendedMail(person, { ...suspended, until: at("12-05") }),
    "suspended, no end": () => suspension.suspendedMail(person, { ...suspended, until: null }),
    closed: () => closing.closedMail(person, { eraseAt: at("12-05"), reason: null, link: links.dashboard }),
    "closed by an operator": () => closing.closedMail(person, { eraseAt: at("12-05"), reason: "Spam.", link: links.dashboard }),
    erasing: () => closing.erasingMail(person, "help@example.com"),
    reopened: () => closing.reopenedMail(person, links.dashboard),
    resumed: () => suspension.resumedMail(person, links.dashboard),
    welcome: () =>
      welcomeMail(
        {
          ...person,
          trialEndsAt: at("12-05"),
          now: at("11-21"),
          limits: { executions: 1_000, activeWorkflows: 1, users: -1 },
          lastBackupDays: 30,
        },
        publicUrl,
      ),
    receipt: () =>
      receiptMail(
        { ...person, received: charged, fromCredit: { ...charged, amount: 0 }, paidAt: at("11-21"), card: "Visa ending in 4242", invoice },
        publicUrl,
      ),
    "card expires": () => cardExpiresMail({ ...person, card: "PayPal", month: 2, year: 2028 }, publicUrl),
    ...Object.fromEntries(
      (["refunded", "cancelled", "refund-failed", "credited"] as const).map((because) => [
        `correction: ${because}`,
        () => correctionMail({ ...person, because, total: charged, corrects: "2026-000122", document: invoice }, publicUrl),
      ]),
    ),
    renewal: () => renewalMail({ ...person, planName: "Pro", at: at("12-24"), total: { amount: 130_000, currency: "EUR" } }, publicUrl),
    export: () => exportReadyMail({ ...to, link: links.exports, withCredentials: true }),
    updated: () => updateMail("updated", updated),
    "taken back": () => updateMail("taken-back", { ...updated, reason: say("updateNoBackup", { reason: say("failedNoRoom") }) }),
    stuck: () => updateMail("stuck", updated),
    back: () => updateMail("back", updated),
    "back by the service": () => updateMail("back-by-service", updated),
    nearly: () => usageMail("nearly", usage),
    reached: () => usageMail("reached", usage),
    deleted: () =>
      workspaceDeletedMail({ ...to, workspaceUrl: "https://acme.example.com", dashboardUrl: links.dashboard, hasLastBackup: true }),
    ...Object.fromEntries(
      billingMailNames.map((name) => [`subscription: ${name}`, () => renderBillingMail({ ...billing, name }, publicUrl)]),
    ),
  };
}

/** Where a mail leads. */
export const linksOf = ({ html }: Mail): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));
