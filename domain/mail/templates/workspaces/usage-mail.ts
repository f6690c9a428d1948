/** The mails that say how much of a plan's executions is used. */
import type { Mail } from "../../mail.ts";
import { mailWords } from "../../rendering/mail-words.ts";
import { oneLine } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";

const number = (value: number): string => value.toLocaleString("en-US");

const words = {
  nearly: {
    subject: "80% of your executions are used",
    preview: "Your workflows keep running for now.",
    heading: "80% of your executions are used",
    used: (account: string, plan: string, used: number, limit: number) =>
      `Your workspace ${account} has used ${number(used)} of the ${number(limit)} executions of the ${plan} plan. When all of them are used, workflows stop running.`,
  },
  reached: {
    subject: "All your executions are used: workflows have stopped",
    preview: "Nothing is lost. Upgrade your plan to run them again.",
    heading: "All your executions are used",
    used: (account: string, plan: string, _used: number, limit: number) =>
      `Your workspace ${account} has used all ${number(limit)} executions of the ${plan} plan. Workflows do not run until more are available. You can still open, edit and export everything in your workspace.`,
  },
  resets: (date: string) => `Your quota is renewed on ${date}. A larger plan gives you more executions immediately.`,
  noReset: "A larger plan gives you more executions immediately.",
  button: "See plans",
} as const;

export interface UsageMail {
  to: string;
  fullName: string;
  accountName: string;
  planName: string;
  used: number;
  limit: number;
  /** When the next usage period begins; null if there is none. */
  resetsAt: Date | null;
  /** Where plans are chosen. */
  link: string;
}

/** `nearly` from 80 % on, `reached` at all of them. */
export function usageMail(kind: "nearly" | "reached", mail: UsageMail): Promise<Mail> {
  const { subject, preview, heading, used } = words[kind];
  const date = mail.resetsAt?.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return renderMail(mail.to, {
    subject,
    preview,
    heading,
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: used(mail.accountName, mail.planName, mail.used, mail.limit) },
      { kind: "paragraph", text: date ? words.resets(date) : words.noReset },
      { kind: "action", label: words.button, href: mail.link },
    ],
  });
}
