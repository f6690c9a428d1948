/** The mails that say how much of a plan's executions is used. */
import type { Mail } from "../../mail.ts";
import { mailWords, wordsFor, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { localeOf, saying } from "../../rendering/say-day.ts";

const number = (value: number, language: MailLanguage = null): string => value.toLocaleString(localeOf(language));

const english = {
  nearly: {
    subject: "80% of your executions are used",
    preview: "Your workflows keep running for now.",
    heading: "80% of your executions are used",
    used: (account: string, plan: string, used: number, limit: number) =>
      `Your workspace ${account} has used ${number(used)} of the ${number(limit)} executions of the ${plan} plan. When all of them are used, workflows stop running.`,
  },
  reached: {
    subject: "All your executions are used, so workflows have stopped",
    preview: "Nothing is lost. Upgrade your plan to run them again.",
    heading: "All your executions are used",
    used: (account: string, plan: string, _used: number, limit: number) =>
      `Your workspace ${account} has used all ${number(limit)} executions of the ${plan} plan. Workflows do not run until more are available. You can still open, edit and export everything in your workspace.`,
  },
  resets: (date: string) => `Your executions reset on ${date}. A larger plan gives you more executions immediately.`,
  noReset: "A larger plan gives you more executions immediately.",
  button: "See plans",
} as const;

const wordsIn = wordsFor(english, {
  nearly: {
    subject: "80 % Ihrer Ausführungen sind verbraucht",
    preview: "Ihre Workflows laufen vorerst weiter.",
    heading: "80 % Ihrer Ausführungen sind verbraucht",
    used: (account, plan, used, limit) =>
      `Ihr Workspace ${account} hat ${number(used, "de")} der ${number(limit, "de")} Ausführungen des Tarifs ${plan} verbraucht. Wenn alle verbraucht sind, laufen keine Workflows mehr.`,
  },
  reached: {
    subject: "Alle Ausführungen sind verbraucht: Ihre Workflows stehen still",
    preview: "Nichts ist verloren. Mit einem größeren Tarif laufen sie wieder.",
    heading: "Alle Ausführungen sind verbraucht",
    used: (account, plan, _used, limit) =>
      `Ihr Workspace ${account} hat alle ${number(limit, "de")} Ausführungen des Tarifs ${plan} verbraucht. Workflows laufen erst wieder, wenn neue verfügbar sind. Sie können in Ihrem Workspace weiterhin alles öffnen, bearbeiten und exportieren.`,
  },
  resets: (date) => `Ihr Kontingent erneuert sich am ${date}. Ein größerer Tarif gibt Ihnen sofort mehr Ausführungen.`,
  noReset: "Ein größerer Tarif gibt Ihnen sofort mehr Ausführungen.",
  button: "Tarife ansehen",
});

export interface UsageMail {
  to: string;
  fullName: string;
  language: MailLanguage;
  timezone: string | null;
  accountName: string;
  planName: string;
  used: number;
  limit: number;
  /** When the next usage period begins; null if there is none. */
  resetsAt: Date | null;
  /** Where plans are chosen. */
  link: string;
}

/** `nearly`: 80 % or more is used; `reached`: all of it. */
export function usageMail(kind: "nearly" | "reached", mail: UsageMail): Promise<Mail> {
  const { language } = mail;
  const words = wordsIn(language);
  const { subject, preview, heading, used } = words[kind];
  const date = mail.resetsAt && saying(language, mail.timezone).sayDay(mail.resetsAt);
  return renderMail(mail.to, {
    language,
    subject,
    preview,
    heading,
    blocks: [
      { kind: "paragraph", text: mailWords(language).greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: used(mail.accountName, mail.planName, mail.used, mail.limit) },
      { kind: "paragraph", text: date ? words.resets(date) : words.noReset },
      { kind: "action", label: words.button, href: mail.link },
    ],
  });
}
