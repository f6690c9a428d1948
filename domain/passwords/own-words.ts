/**
 * Words that an attacker would try first: those of the person, of this service and of its operator. A password may contain them, but
 * must not consist of them.
 */
import { engineNames } from "#contract/workspaces/engine-names.ts";

/** Names of the product, its engines and its main concepts, as listed in decision 0065. */
export const serviceWords = [
  "Slipway",
  ...engineNames,
  "workspace",
  "workflow",
  "automation",
  "panel",
  "owner",
  "admin",
  "operator",
] as const;

/** Shorter ones, such as "de" or "io", occur in too many words. */
const shortestWord = 3;

/** People add a birthday, or a year with punctuation as in "Slipway-2024!". */
const mostAdded = 6;

/** Characters that people use in place of letters. I, l and 1 count as one letter, since each replaces the others. */
const swaps: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  l: "i",
  "!": "i",
  "|": "i",
  "3": "e",
  "4": "a",
  "@": "a",
  "5": "s",
  $: "s",
  "7": "t",
  "+": "t",
};

/**
 * Whether a password is hardly more than such words: at most six of its characters are outside of them, and none of those is
 * a letter. `names` are texts such as a full name, an email address or a host name; they count whole, without punctuation, and in
 * parts. Capitals, accents and swapped letters make no difference.
 */
export function isHardlyMoreThan(password: string, names: readonly string[]): boolean {
  const plain = simplify(password);
  const folded = fold(plain);
  const covered = new Set<number>();
  for (const word of new Set(names.flatMap(wordsOf))) {
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + 1)) {
      for (let index = at; index < at + word.length; index += 1) covered.add(index);
    }
  }
  if (covered.size === 0) return false;
  const rest = Array.from({ length: plain.length }, (_, index) => index).filter((index) => !covered.has(index));
  // A surrogate is half of a character, such as a rare letter or an emoji, and counts as a letter.
  return rest.length <= mostAdded && !rest.some((index) => /[\p{L}\p{Cs}]/u.test(plain.charAt(index)));
}

/** The text and its parts between spaces, each in three forms: as it is, its letters and digits joined, and each run of them. */
function wordsOf(name: string): string[] {
  const plain = simplify(name);
  const spellings = [plain, ...plain.split(/\s+/)].flatMap((piece) => {
    const runs = piece.split(/[^\p{L}\p{N}]+/u);
    return [piece, runs.join(""), ...runs];
  });
  return spellings.filter((word) => word.length >= shortestWord).map(fold);
}

const simplify = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Replaces swapped characters. The length stays the same, so that positions match. */
const fold = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => swaps[text.charAt(index)] ?? text.charAt(index)).join("");
