/** Numbers of documents as text, for providers that keep a few words with an invoice. */
import type { DocumentNumbers } from "./payment-provider.ts";

const causes = /^(invoice|void|refund:.+|failed:.+)$/;
const kept = /^(\S+) (\d{4}-\d\d-\d\dT\S+Z)$/;

/** By cause, such as `refund:re_1`: the number and when its document was issued. */
export const writeNumbers = (numbers: DocumentNumbers): Record<string, string> =>
  Object.fromEntries(Object.entries(numbers).map(([cause, { number, issuedAt }]) => [cause, `${number} ${issuedAt.toISOString()}`]));

/** Entries that we did not write are left out. */
export function readNumbers(texts: Readonly<Record<string, string>>): DocumentNumbers {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([cause, text]) => {
      const [, number, issuedAt] = (causes.test(cause) && kept.exec(text)) || [];
      return number && issuedAt ? [[cause, { number, issuedAt: new Date(issuedAt) }]] : [];
    }),
  );
}
