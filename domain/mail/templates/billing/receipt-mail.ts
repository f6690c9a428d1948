/** Mails about a received payment, its correction, the next renewal, and a card that will expire before it. */
import { formatMoney } from "#contract/billing/money/format-money.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { billingWords } from "./billing-words.ts";
import type { Mail } from "../../mail.ts";
import { mailLinks } from "../../mail-links.ts";
import { mailWords, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { localeOf, sayDate, saying } from "../../rendering/say-day.ts";

const paragraph = (text: string): MailBlock => ({ kind: "paragraph", text });

interface Receipt {
  email: string;
  fullName: string;
  language: MailLanguage;
  /** The amount charged to cards; nothing if credit or a bank transfer paid it all. */
  received: Money;
  fromCredit: Money;
  paidAt: Date;
  /** Such as `Visa ending in 4242`; null: unknown. */
  card: string | null;
  /** The attached invoice. */
  invoice: { number: string; pdf: Buffer };
}

/** A receipt with its invoice attached. */
export async function receiptMail(receipt: Receipt, publicUrl: string): Promise<Mail> {
  const { received, fromCredit, language } = receipt;
  const { number, pdf } = receipt.invoice;
  const all = billingWords(language);
  const words = all.receipt;
  const isCharged = received.amount > 0;
  const [sum = "", credit = ""] = [received, fromCredit].map((money) => formatMoney(money, { locale: localeOf(language) }));
  const settled = fromCredit.amount > 0 ? words.creditOnly(credit) : words.otherwise(number);
  const text = isCharged ? words.text(sum, sayDate(language, receipt.paidAt), receipt.card ?? "") : settled;
  const mail = await renderMail(receipt.email, {
    language,
    subject: words.subject(number),
    preview: isCharged ? words.preview(sum) : settled,
    heading: isCharged || fromCredit.amount === 0 ? words.heading : words.creditHeading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(receipt.fullName))),
      paragraph(text),
      ...(isCharged && fromCredit.amount > 0 ? [paragraph(words.credit(credit))] : []),
      paragraph(words.attached(number)),
      { kind: "action", label: all.openBilling, href: mailLinks(publicUrl).billing },
    ],
  });
  return { ...mail, attachment: { name: `${number}.pdf`, type: "application/pdf", base64: pdf.toString("base64") } };
}

interface Correction {
  email: string;
  fullName: string;
  language: MailLanguage;
  /** `credited`: the provider credited time that was paid for. */
  because: "refunded" | "cancelled" | "refund-failed" | "credited";
  /** Above zero. */
  total: Money;
  /** The number of the document that this one corrects; empty if unknown. */
  corrects: string;
  /** The attached credit note or debit note. */
  document: { number: string; pdf: Buffer };
}

/** A credit note or debit note, attached, and what it means for the customer's money. */
export async function correctionMail(correction: Correction, publicUrl: string): Promise<Mail> {
  const { email, fullName, language, because, corrects, document } = correction;
  const { number, pdf } = document;
  const all = billingWords(language);
  const words = all.correction[because];
  const sum = formatMoney(correction.total, { locale: localeOf(language) });
  const text = words.text(sum, corrects);
  const mail = await renderMail(email, {
    language,
    subject: words.subject(sum, number),
    preview: text,
    heading: words.heading(sum),
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(text),
      paragraph(all.correction.attached(number)),
      { kind: "action", label: all.openBilling, href: mailLinks(publicUrl).billing },
    ],
  });
  return { ...mail, attachment: { name: `${number}.pdf`, type: "application/pdf", base64: pdf.toString("base64") } };
}

interface Renewal {
  email: string;
  fullName: string;
  language: MailLanguage;
  timezone: string | null;
  accountName: string;
  planName: string;
  at: Date;
  /** What will be charged, with tax. */
  total: Money;
}

/** Says ahead of a renewal what will be charged, and when. */
export function renewalMail(
  { email, fullName, language, timezone, accountName, planName, at, total }: Renewal,
  publicUrl: string,
): Promise<Mail> {
  const all = billingWords(language);
  const words = all.renewal;
  const day = saying(language, timezone).sayDay(at);
  const sum = formatMoney(total, { locale: localeOf(language) });
  return renderMail(email, {
    language,
    subject: words.subject(planName, day),
    preview: words.preview(sum),
    heading: words.heading(planName),
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(words.text(planName, accountName, day, sum)),
      paragraph(words.change),
      { kind: "action", label: all.openBilling, href: mailLinks(publicUrl).billing },
    ],
  });
}

interface ExpiringCard {
  email: string;
  fullName: string;
  language: MailLanguage;
  accountName: string;
  /** Such as `Visa ending in 4242`. */
  card: string;
  month: number;
  year: number;
}

/** A card is valid until the end of the month printed on it. */
export function cardExpiresMail(
  { email, fullName, language, accountName, card, month, year }: ExpiringCard,
  publicUrl: string,
): Promise<Mail> {
  const words = billingWords(language).cardExpires;
  const expires = sayDate(language, new Date(Date.UTC(year, month, 0)));
  return renderMail(email, {
    language,
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(words.text(card, expires, accountName)),
      { kind: "action", label: words.button, href: mailLinks(publicUrl).billing },
    ],
  });
}
