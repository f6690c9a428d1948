/** Mails about a received payment, and about a card that will expire before the next one. */
import { formatMoney } from "#contract/billing/money/format-money.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { billingWords } from "./billing-words.ts";
import type { Mail } from "../../mail.ts";
import { mailWords, type MailLanguage } from "../../rendering/mail-words.ts";
import { oneLine, type MailBlock } from "../../rendering/mail-content.ts";
import { renderMail } from "../../rendering/render-mail.ts";
import { localeOf, saying } from "../../rendering/say-day.ts";

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
  const text = isCharged ? words.text(sum, saying(language).sayDay(receipt.paidAt), receipt.card ?? "") : settled;
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
      { kind: "action", label: all.openBilling, href: `${publicUrl}/manage/billing` },
    ],
  });
  return { ...mail, attachment: { name: `${number}.pdf`, type: "application/pdf", base64: pdf.toString("base64") } };
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
  const expires = saying(language).sayDay(new Date(Date.UTC(year, month, 0)));
  return renderMail(email, {
    language,
    subject: words.subject,
    preview: words.preview,
    heading: words.heading,
    blocks: [
      paragraph(mailWords(language).greeting(oneLine(fullName))),
      paragraph(words.text(card, expires, accountName)),
      { kind: "action", label: words.button, href: `${publicUrl}/manage/billing` },
    ],
  });
}
