/** Mails about trials, payments and plans: one for each event of a subscription. */
import { formatMoney } from "#contract/billing/money/format-money.ts";
import type { BillingMail, BillingMailName } from "#domain/mail/templates/billing/billing-mail.ts";
import { dayMs } from "#platform/clock.ts";
import { billingWords, type BillingWords } from "./billing-words.ts";
import type { Mail } from "../../mail.ts";
import { mailLinks, type MailLinks } from "../../mail-links.ts";
import { mailWords, type MailLanguage } from "../../rendering/mail-words.ts";
import { listWords, localeOf, saying } from "../../rendering/say-day.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

interface Content {
  subject: string;
  preview: string;
  heading: string;
  blocks: MailBlock[];
}

const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });
const action = (label: string, href: string): MailBlock => ({ kind: "action", label, href });
const note = (text: string): MailBlock => ({ kind: "note", text });
/** The mail for an event of a subscription. */
export function renderBillingMail(mail: BillingMail, publicUrl: string): Promise<Mail> {
  const links = mailLinks(publicUrl);
  const { language, timezone } = mail;
  const { subject, preview, heading, blocks } = makeContents(language, timezone)[mail.name](mail, links);
  const greeting = paragraph(mailWords(language).greeting(oneLine(mail.fullName)));
  if (mail.isSuspended) {
    // Before the button: whatever a payment or a plan brings otherwise, it does not start this workspace.
    const button = blocks.findIndex(({ kind }) => kind === "action");
    blocks.splice(button, 0, paragraph(billingWords(language).suspended));
  }
  return renderMail(mail.email, { language, subject, preview, heading, blocks: [greeting, ...blocks] });
}

type Contents = Record<BillingMailName, (mail: BillingMail, links: MailLinks) => Content>;

function makeContents(language: MailLanguage, timezone: string | null): Contents {
  const all: BillingWords = billingWords(language);
  const { listDays, sayDay, sayWhen } = saying(language, timezone);
  /** Sentences that need a date, left out without one. */
  const dated = (at: Date | null, say: (day: string) => string): MailBlock[] => (at ? [paragraph(say(sayDay(at)))] : []);
  /** Of a suspended account, nothing is deleted before its owner had time to pay afterwards. */
  const deletion = ({ deletionAt, lastBackupDays, isSuspended }: BillingMail): MailBlock[] =>
    deletionAt && !isSuspended ? [paragraph(`${all.deletion(sayDay(deletionAt))} ${all.lastBackup(lastBackupDays)}`), note(all.kept)] : [];
  /** What starts with a payment. */
  const begins = ({ begins: what, lastBackup, isSuspended }: BillingMail): MailBlock[] => {
    if (what === null || isSuspended) return [];
    return [paragraph(what === "restored" && lastBackup ? all.restoring(sayDay(lastBackup.madeAt)) : all.startsEmpty)];
  };
  const forNow = (text: string, isSuspended: boolean): string => (isSuspended ? text : `${text} ${all.keepsRunning}`);
  /** Where the account has no workspace, a mail about its plan speaks of the plan alone. */
  const alone = (text: string, { plans }: MailLinks): MailBlock[] => [
    paragraph(text),
    paragraph(all.noWorkspace),
    action(all.choosePlan, plans),
  ];
  /** The dates of the planned attempts, in a sentence; null: there are none. */
  const planned = (retries: BillingMail["retries"], say: (dates: string) => string): string | null => {
    const dates = retries.filter(({ outcome }) => outcome === "planned").map(({ at }) => at);
    return dates.length > 0 ? say(listDays(dates)) : null;
  };
  return {
    "subscription-started": (mail, { billing }) => {
      const { planName, accountName, periodEndsAt } = mail;
      return {
        ...all.started,
        subject: all.started.subject(planName),
        heading: all.started.heading(planName),
        blocks: [
          paragraph(all.started.text(planName, accountName)),
          ...begins(mail),
          ...dated(periodEndsAt, all.started.renews),
          action(all.openBilling, billing),
        ],
      };
    },
    "plan-changed": ({ planName, accountName, periodEndsAt }, { billing }) => ({
      ...all.changed,
      subject: all.changed.subject(planName),
      heading: all.changed.heading(planName),
      blocks: [
        paragraph(all.changed.text(accountName, planName)),
        ...dated(periodEndsAt, all.changed.renews),
        note(all.changed.nothingBack),
        action(all.openBilling, billing),
      ],
    }),
    "plan-arranged": (mail, { billing }) => {
      const { planName, accountName, periodEndsAt } = mail;
      return {
        ...all.arranged,
        subject: all.arranged.subject(planName),
        heading: all.arranged.heading(planName),
        blocks: [
          paragraph(all.arranged.text(planName, accountName)),
          ...begins(mail),
          ...dated(periodEndsAt, all.arranged.until),
          action(all.openBilling, billing),
        ],
      };
    },
    "arranged-plan-ending": ({ accountName, planName, periodEndsAt, at, workspace, lastBackupDays }, { billing }) => {
      const ends = periodEndsAt ?? at;
      const subject = all.arrangedEnding.subject(planName, sayWhen(ends, at));
      return {
        ...all.arrangedEnding,
        subject,
        heading: subject,
        blocks: [
          paragraph(all.arrangedEnding.text(accountName, planName, sayDay(ends))),
          ...(workspace === "kept" ? [paragraph(`${all.arrangedEnding.after} ${all.lastBackup(lastBackupDays)}`)] : []),
          action(all.openBilling, billing),
        ],
      };
    },
    "arranged-plan-ended": (mail, links) => {
      const { accountName, planName } = mail;
      if (mail.workspace !== "kept")
        return {
          subject: all.arrangedEnded.subjectAlone(planName),
          preview: all.ended.previewAlone,
          heading: all.arrangedEnded.heading,
          blocks: alone(all.ended.ofAccount(planName, accountName), links),
        };
      return {
        ...all.arrangedEnded,
        subject: all.arrangedEnded.subject(planName),
        blocks: [paragraph(all.arrangedEnded.text(accountName)), ...deletion(mail), action(all.choosePlan, links.plans)],
      };
    },
    "change-scheduled": ({ planName, nextPlanName, periodEndsAt, at }, { billing }) => {
      const day = sayDay(periodEndsAt ?? at);
      const { scheduled } = all;
      return {
        ...scheduled,
        subject: scheduled.subject(nextPlanName, day),
        blocks: [paragraph(scheduled.text(planName, nextPlanName, day)), paragraph(scheduled.undo), action(all.openBilling, billing)],
      };
    },
    "trial-ending": ({ accountName, periodEndsAt, at, workspace, lastBackupDays }, { plans }) => {
      const ends = periodEndsAt ?? at;
      const subject = all.trialEnding.subject(sayWhen(ends, at));
      return {
        ...all.trialEnding,
        subject,
        heading: subject,
        blocks: [
          ...(workspace === "kept"
            ? [
                paragraph(all.trialEnding.text(accountName, sayDay(ends))),
                paragraph(`${all.trialEnding.after} ${all.lastBackup(lastBackupDays)}`),
              ]
            : [paragraph(all.trialEnding.ofAccount(accountName, sayDay(ends))), paragraph(all.noWorkspace)]),
          action(all.choosePlan, plans),
          note(all.nothingCharged),
        ],
      };
    },
    "subscription-ending": ({ accountName, planName, periodEndsAt, at, workspace, lastBackupDays }, { billing }) => {
      const ends = periodEndsAt ?? at;
      const subject = all.ending.subject(sayWhen(ends, at));
      return {
        ...all.ending,
        subject,
        heading: subject,
        blocks: [
          paragraph(all.ending.text(accountName, planName, sayDay(ends))),
          ...(workspace === "kept"
            ? [paragraph(all.ending.after), paragraph(`${all.ending.keep} ${all.comesBack(lastBackupDays)}`)]
            : [paragraph(all.noWorkspace)]),
          action(all.ending.button, billing),
        ],
      };
    },
    "trial-ended": (mail, links) => {
      const { trialEnded } = all;
      if (mail.workspace !== "kept")
        return {
          subject: trialEnded.subjectAlone,
          preview: trialEnded.previewAlone,
          heading: trialEnded.heading,
          blocks: [...alone(trialEnded.ofAccount(mail.accountName), links), note(all.nothingCharged)],
        };
      return {
        ...trialEnded,
        blocks: [
          paragraph(trialEnded.text(mail.accountName)),
          ...deletion(mail),
          action(all.choosePlan, links.plans),
          note(all.nothingCharged),
        ],
      };
    },
    "payment-failed": ({ planName, accountName, retries, isSuspended }, { billing }) => ({
      ...all.failed,
      preview: isSuspended ? all.failed.previewSuspended : all.failed.preview,
      blocks: [
        paragraph(forNow(all.failed.text(planName, accountName), isSuspended)),
        paragraph(planned(retries, all.failed.retries) ?? all.failed.last),
        paragraph(all.failed.text2),
        action(all.failed.button, billing),
      ],
    }),
    "payment-action-required": ({ planName, accountName, retries, isSuspended }, { billing }) => {
      const schedule = planned(retries, all.action.retries);
      return {
        ...all.action,
        blocks: [
          paragraph(forNow(all.action.text(planName, accountName), isSuspended)),
          ...(schedule ? [paragraph(schedule)] : []),
          action(all.action.button, billing),
        ],
      };
    },
    "payment-recovered": ({ planName, accountName, workspace, isSuspended }, { billing }) => ({
      ...all.recovered,
      blocks: [
        paragraph(all.recovered.text(planName, accountName)),
        ...(workspace === "kept" && !isSuspended ? [paragraph(all.recovered.starting)] : []),
        action(all.openBilling, billing),
      ],
    }),
    "subscription-paused": (mail, { billing }) => {
      const { paused } = all;
      if (mail.workspace !== "kept")
        return {
          subject: paused.subjectAlone,
          preview: paused.previewAlone,
          heading: paused.heading,
          blocks: [paragraph(paused.ofAccount(mail.accountName)), paragraph(all.noWorkspace), action(paused.button, billing)],
        };
      return {
        ...paused,
        blocks: [paragraph(paused.text(mail.accountName)), ...deletion(mail), action(paused.button, billing)],
      };
    },
    "pause-requested": ({ accountName, planName, workspace }, { billing }) => ({
      ...all.pauseRequested,
      blocks: [
        paragraph(all.pauseRequested.text(planName)),
        ...(workspace === "kept" ? [paragraph(all.pauseRequested.stopped(accountName))] : []),
        action(all.openBilling, billing),
      ],
    }),
    "pause-ended": ({ planName, accountName, workspace, isSuspended }, { billing }) => ({
      ...all.pauseEnded,
      blocks: [
        paragraph(all.pauseEnded.text(planName)),
        ...(workspace === "kept" && !isSuspended ? [paragraph(all.pauseEnded.starting(accountName))] : []),
        action(all.openBilling, billing),
      ],
    }),
    "cancel-confirmed": ({ planName, periodEndsAt, at, workspace, isTrial, lastBackupDays }, { billing }) => ({
      ...all.cancelled,
      blocks: [
        paragraph(all.cancelled.text(planName, sayDay(periodEndsAt ?? at))),
        ...(workspace !== "kept"
          ? []
          : isTrial
            ? [paragraph(`${all.cancelled.ofTrial} ${all.lastBackup(lastBackupDays)}`)]
            : [paragraph(`${all.cancelled.after(sayDay(periodEndsAt ?? at))} ${all.comesBack(lastBackupDays)}`)]),
        paragraph(all.cancelled.undo),
        action(all.openBilling, billing),
      ],
    }),
    "cancel-undone": ({ planName, periodEndsAt }, { billing }) => ({
      ...all.resubscribed,
      blocks: [
        paragraph(all.resubscribed.text(planName)),
        ...dated(periodEndsAt, all.resubscribed.renews),
        action(all.openBilling, billing),
      ],
    }),
    "subscription-ended": (mail, links) => {
      const { ended } = all;
      const { accountName, planName, deletionAt, at, lastBackupDays } = mail;
      const { heading } = ended;
      const resubscribe = action(ended.button, links.billing);
      if (mail.workspace !== "kept")
        return {
          subject: ended.subjectAlone,
          preview: ended.previewAlone,
          heading,
          blocks: [paragraph(ended.ofAccount(planName, accountName)), paragraph(all.noWorkspace), resubscribe],
        };
      if (deletionAt && deletionAt <= at)
        return {
          subject: ended.subjectDeleting(accountName),
          preview: ended.previewDeleting,
          heading,
          blocks: [
            paragraph(ended.textDeleting(planName, accountName)),
            paragraph(all.comesBack(lastBackupDays)),
            resubscribe,
            note(ended.report),
          ],
        };
      return { ...ended, blocks: [paragraph(ended.text(accountName)), ...deletion(mail), resubscribe] };
    },
    "duplicate-refunded": ({ planName, accountName, refunded }, { billing }) => ({
      ...all.duplicate,
      blocks: [
        paragraph(all.duplicate.text(planName, accountName)),
        ...(refunded ? [paragraph(all.duplicate.refunded(formatMoney(refunded, { locale: localeOf(language) })))] : []),
        paragraph(all.duplicate.after),
        action(all.openBilling, billing),
      ],
    }),
    "deletion-warning": ({ accountName, deletionAt, at, lastBackupDays }, { plans }) => {
      const when = deletionAt ?? at;
      const { warning } = all;
      return {
        ...warning,
        subject: warning.subject(accountName, sayWhen(when, at)),
        blocks: [
          paragraph(`${warning.text(accountName, sayDay(when))} ${all.lastBackup(lastBackupDays)}`),
          paragraph(warning.export),
          action(all.choosePlan, plans),
        ],
      };
    },
    "workspace-deleted": ({ accountName, lastBackup }, links) => ({
      subject: all.deleted.subject(accountName),
      preview: lastBackup ? all.deleted.preview(sayDay(lastBackup.keptUntil)) : all.deleted.previewAlone,
      heading: all.deleted.heading,
      blocks: [
        paragraph(all.deleted.text(accountName)),
        paragraph(lastBackup ? all.deleted.backup(sayDay(lastBackup.madeAt), sayDay(lastBackup.keptUntil)) : all.deleted.noBackup),
        action(all.choosePlan, links.plans),
      ],
    }),
  };
}

export interface Welcome {
  email: string;
  fullName: string;
  language: MailLanguage;
  timezone: string | null;
  trialEndsAt: Date;
  now: Date;
  /** The trial's limits; -1 is unlimited. */
  limits: { executions: number; activeWorkflows: number; users: number };
  /** How long the last backup of a deleted workspace is kept. */
  lastBackupDays: number;
}

/** When the trial starts. */
export function welcomeMail(
  { email, fullName, language, timezone, trialEndsAt, now, limits, lastBackupDays }: Welcome,
  publicUrl: string,
): Promise<Mail> {
  const all = billingWords(language);
  const { welcome } = all;
  const { sayDay } = saying(language, timezone);
  const days = Math.round((trialEndsAt.getTime() - now.getTime()) / dayMs);
  const { executions, activeWorkflows, users } = limits;
  const sayLimits = listWords(language, [
    all.limits.executions(executions),
    all.limits.workflows(activeWorkflows),
    all.limits.people(users),
  ]);
  return renderMail(email, {
    language,
    subject: welcome.subject,
    preview: welcome.preview,
    heading: welcome.heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(welcome.text(days, sayDay(trialEndsAt))),
      paragraph(welcome.limits(sayLimits)),
      paragraph(`${welcome.after} ${all.lastBackup(lastBackupDays)}`),
      action(welcome.button, mailLinks(publicUrl).dashboard),
    ],
  });
}
