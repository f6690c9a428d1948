/**
 * The number of decimal digits of each currency, which defines its minor unit. From ISO 4217, list one; browsers and Node use CLDR instead,
 * which has none for currencies whose coins are out of use, such as HUF, IDR, IQD and LBP, and so would write sums a hundred or a thousand
 * times too large.
 */
const without = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "));
const three = new Set("BHD IQD JOD KWD LYD OMR TND".split(" "));
const four = new Set(["CLF", "UYW"]);

/** 0, 2, 3 or 4; two for an unknown currency. */
export function digitsOf(currency: string): number {
  if (without.has(currency)) return 0;
  return three.has(currency) ? 3 : four.has(currency) ? 4 : 2;
}
