/** Arithmetic on minor units: integers in, integers out. */
import { formatMoney as writeMoney } from "#contract/billing/money/format-money.ts";

/** `amount * part / whole`, rounded to the nearest minor unit, half away from zero. `whole` is above zero. */
export function proportion(amount: number, part: number, whole: number): number {
  const product = BigInt(amount) * BigInt(part);
  const positive = product < 0n ? -product : product;
  const divisor = BigInt(whole);
  const rounded = (positive * 2n + divisor) / (divisor * 2n);
  return Number(product < 0n ? -rounded : rounded) + 0;
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** Formatted for the sandbox's pages: "$24.00", in German "24,00 $". */
export const formatMoney = (amount: number, currency: string, locale = "en-US"): string => writeMoney({ amount, currency }, { locale });
