/** The SQL of cards: what customers pay with, as last reported by the provider, so that owners can be warned before a card expires. */
import { and, eq, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { cards, subscriptions } from "#database/tables.ts";
import type { Connection } from "#platform/database.ts";

interface Card {
  brand: string;
  lastFour: string;
  expiryMonth: number | null;
  expiryYear: number | null;
}

/** The first moment at which the card is no longer valid: after the last day of its printed month. */
export function cardEndsAt({ expiryMonth, expiryYear }: Card): Date | null {
  return expiryMonth === null || expiryYear === null ? null : new Date(Date.UTC(expiryYear, expiryMonth, 1));
}

/** Stores the card that the account pays with now. */
export async function keepCard(db: Connection, accountId: string, card: Card): Promise<void> {
  const { brand, lastFour } = card;
  const set = { brand, lastFour, endsAt: cardEndsAt(card) };
  await db
    .insert(cards)
    .values({ accountId, ...set })
    .onConflictDoUpdate({ target: cards.accountId, set });
}

export interface EndingCard {
  accountId: string;
  brand: string;
  lastFour: string;
  endsAt: Date;
}

/** Cards that end before `until`, of continuing subscriptions, whose owners have not been told yet. */
export async function listEndingCards(db: Connection, now: Date, until: Date, most: number): Promise<EndingCard[]> {
  const found = await db
    .select({ accountId: cards.accountId, brand: cards.brand, lastFour: cards.lastFour, endsAt: cards.endsAt })
    .from(cards)
    .innerJoin(subscriptions, eq(subscriptions.accountId, cards.accountId))
    .where(
      and(
        gt(cards.endsAt, now),
        lte(cards.endsAt, until),
        or(isNull(cards.toldOf), sql`${cards.toldOf} <> ${cards.endsAt}`),
        inArray(subscriptions.status, ["active", "past_due"]),
        isNull(subscriptions.cancelAt),
      ),
    )
    .orderBy(cards.endsAt)
    .limit(most);
  return found.map((card) => ({ ...card, endsAt: card.endsAt! }));
}

/** True for the one caller that may tell the owner that the card ends then. */
export async function markTold(db: Connection, { accountId, endsAt }: EndingCard): Promise<boolean> {
  const marked = await db
    .update(cards)
    .set({ toldOf: endsAt })
    .where(and(eq(cards.accountId, accountId), eq(cards.endsAt, endsAt), or(isNull(cards.toldOf), sql`${cards.toldOf} <> ${cards.endsAt}`)))
    .returning({ accountId: cards.accountId });
  return marked.length > 0;
}
