/** Warns customers whose card is about to expire while there is time to enter another one. */
import { findOwner } from "#domain/accounts/credential-store.ts";
import { listEndingCards, markTold, type EndingCard } from "#domain/cards/card-store.ts";
import { cardName } from "#domain/invoices/document/invoice-words.ts";
import { queueMail } from "#domain/mail/queue-mail.ts";
import { cardExpiresMail } from "#domain/mail/templates/billing/receipt-mail.ts";
import { after, dayMs, type Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";

/** A month, so that a monthly plan has a renewal within it. */
const aheadMs = 30 * dayMs;
const mailsAtOnce = 100;

interface Warning {
  db: Database;
  clock: Clock;
  log: Log;
  publicUrl: string;
}

/** Mails each owner once per card; never rejects, since the next sweep continues where this one stopped. */
export async function warnOfEndingCards({ db, clock, log, publicUrl }: Warning): Promise<void> {
  try {
    const now = clock.now();
    for (const card of await listEndingCards(db, now, after(now, aheadMs), mailsAtOnce)) await warn(db, card, now, publicUrl);
  } catch (error) {
    log.error({ err: error }, "owners of expiring cards could not be told; the next sweep will retry");
  }
}

async function warn(db: Database, card: EndingCard, now: Date, publicUrl: string): Promise<void> {
  const owner = await findOwner(db, card.accountId);
  if (!owner) return;
  const { email, fullName, language, accountName } = owner;
  const lastDay = after(card.endsAt, -1);
  const name = cardName(card.brand, card.lastFour, language) ?? (language === "de" ? "Karte" : "card");
  const mail = await cardExpiresMail(
    { email, fullName, language, accountName, card: name, month: lastDay.getUTCMonth() + 1, year: lastDay.getUTCFullYear() },
    publicUrl,
  );
  await db.transaction(async (tx) => {
    if (await markTold(tx, card)) await queueMail(tx, mail, now);
  });
}
