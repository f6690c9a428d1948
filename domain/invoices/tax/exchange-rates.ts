/**
 * Shows the tax on an invoice in the currency of the seller's country too, if that differs: article 230 of the VAT
 * directive 2006/112/EC. Article 91 (2) permits the European Central Bank's reference rate of the day on which the tax
 * fell due, or the newest before.
 */
import { digitsOf } from "#contract/billing/money/currency-digits.ts";
import type { Money } from "#contract/billing/money/money.ts";
import { boundedBody } from "#platform/http/bounded-chunks.ts";
import { after, dayMs, hourMs, secondMs, type Clock } from "#platform/clock.ts";
import type { Connection, Database } from "#platform/database.ts";
import type { Log } from "#platform/log.ts";
import { findNewestDay, insertRates, listRates, type DayRate } from "./exchange-rate-store.ts";

/** EUR for euro countries, and where the VAT directive requires no other currency. */
const national: Readonly<Record<string, string>> = { CZ: "CZK", DK: "DKK", HU: "HUF", PL: "PLN", RO: "RON", SE: "SEK" };
const euro = new Set("AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK".split(" "));

/** The currency in which a seller in this country owes VAT; null outside the EU, whose law this is. */
export const taxCurrencyOf = (country: string): string | null => (euro.has(country) ? "EUR" : (national[country] ?? null));

export interface RatesSource {
  /** Fetches the newest rates unless today's are known; never throws, and takes a few seconds at most. */
  refresh(db: Database): Promise<void>;
}

const answerWithinMs = 4 * secondMs;
/** Ninety days of thirty currencies are some 100 KB. */
const mostAnswerBytes = 1024 * 1024;
const tryEachMs = hourMs;

/** `url`: the bank's file, such as eurofxref-hist-90d.xml, or a copy of it. */
export function centralBankRates({ url, clock, log }: { url: string; clock: Clock; log: Log }): RatesSource {
  let triedAt: Date | null = null;
  let underWay: Promise<void> | null = null;
  async function tryOnce(db: Database): Promise<void> {
    const now = clock.now();
    // A clock that was set back must not stop it.
    if (triedAt && triedAt <= now && now < after(triedAt, tryEachMs)) return;
    triedAt = now;
    try {
      const today = dayOf(now);
      const newest = (await findNewestDay(db)) ?? "";
      if (newest >= today) return;
      // Skips future days: one would count as the newest, and no rate before it would ever be stored.
      await insertRates(
        db,
        readRates(await download(url)).filter(({ day }) => day > newest && day <= today),
      );
    } catch (error) {
      log.warn({ reason: (error as Error).name }, "exchange rates could not be fetched; invoices that need one will wait");
    }
  }
  // Concurrent callers wait for the same fetch; otherwise their invoice would lack its rate until the next check.
  return { refresh: (db) => (underWay ??= tryOnce(db).finally(() => (underWay = null))) };
}

async function download(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { "user-agent": "slipway" }, signal: AbortSignal.timeout(answerWithinMs), redirect: "error" });
  if (answer.status !== 200) throw new Error(`it answered with ${answer.status}`);
  return (await boundedBody(answer.body, mostAnswerBytes, () => new Error("its answer is too long"))).toString("utf8");
}

/** The days and rates in the bank's file; throws if there are none. */
export function readRates(xml: string): DayRate[] {
  let day = "";
  const rates: DayRate[] = [];
  for (const [, time, currency, perEuro] of xml.matchAll(
    /<Cube (?:time=['"](\d{4}-\d{2}-\d{2})['"]|currency=['"]([A-Z]{3})['"] rate=['"](\d{1,9}(?:\.\d{1,9})?)['"])/g,
  )) {
    if (time) day = time;
    else if (day && Number(perEuro) > 0) rates.push({ day, currency: currency!, perEuro: perEuro! });
  }
  if (rates.length === 0) throw new Error("its answer contains no rates");
  return rates;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
/** Weekends and holidays have none; a rate older than a week is too old. */
const oldestMs = 7 * dayMs;

interface TaxInSellerCurrency {
  amount: Money;
  /** Such as `1 EUR = 1.0825 USD`. */
  rate: string;
  /** The day of the rate, in ISO format. */
  day: string;
}

/** The tax in the seller's currency at the day's rate; null if no rate for that day is known yet. */
export async function convertTax(db: Connection, tax: Money, to: string, at: Date): Promise<TaxInSellerCurrency | null> {
  const known = await listRates(db, dayOf(after(at, -oldestMs)), dayOf(at));
  const perEuro = (day: string, currency: string) =>
    currency === "EUR" ? "1" : known.find((rate) => rate.day === day && rate.currency === currency)?.perEuro;
  for (const day of new Set(known.map((rate) => rate.day))) {
    const [from, into] = [perEuro(day, tax.currency), perEuro(day, to)];
    if (!from || !into) continue;
    const rates = [
      [tax.currency, from],
      [to, into],
    ]
      .filter(([currency]) => currency !== "EUR")
      .map(([currency, rate]) => `${rate} ${currency}`);
    return { amount: { amount: convert(tax, from, to, into), currency: to }, rate: `1 EUR = ${rates.join(" = ")}`, day };
  }
  return null;
}

/** In whole numbers, rounded to the nearest minor unit, half away from zero. */
export function convert({ amount, currency }: Money, perEuroFrom: string, to: string, perEuroTo: string): number {
  const [from, into] = [fraction(perEuroFrom), fraction(perEuroTo)];
  const top = BigInt(Math.abs(amount)) * into.top * from.bottom * 10n ** BigInt(digitsOf(to));
  const bottom = from.top * into.bottom * 10n ** BigInt(digitsOf(currency));
  const rounded = Number((top * 2n + bottom) / (bottom * 2n));
  return amount < 0 ? 0 - rounded : rounded;
}

function fraction(decimal: string): { top: bigint; bottom: bigint } {
  const [whole = "0", part = ""] = decimal.split(".");
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
}
