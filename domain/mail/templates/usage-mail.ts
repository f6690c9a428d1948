/** The mails that say how much of a plan's executions is used. */
import type { Mail } from "../mail.ts";
import { usageWords } from "../usage-words.ts";
import { mailWords } from "../words.ts";
import { oneLine } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

export interface UsageMail {
  to: string;
  fullName: string;
  accountName: string;
  planName: string;
  used: number;
  limit: number;
  /** When new ones come by themselves; null: they do not. */
  resetsAt: Date | null;
  /** Where plans are chosen. */
  link: string;
}

/** `nearly` from 80 % on, `reached` at all of them. */
export function usageMail(kind: "nearly" | "reached", mail: UsageMail): Promise<Mail> {
  const { subject, preview, heading, used } = usageWords[kind];
  const date = mail.resetsAt?.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return renderMail(mail.to, {
    subject,
    preview,
    heading,
    blocks: [
      { kind: "paragraph", text: mailWords.greeting(oneLine(mail.fullName)) },
      { kind: "paragraph", text: used(mail.accountName, mail.planName, mail.used, mail.limit) },
      { kind: "paragraph", text: date ? usageWords.resets(date) : usageWords.noReset },
      { kind: "action", label: usageWords.button, href: mail.link },
    ],
  });
}
