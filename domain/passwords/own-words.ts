/**
 * Words that a stranger would try first, since they know them: of the person, of this service, and of whoever runs it. A password may
 * hold them; it must not consist of them.
 */

/** Names of the product and its engines, and what people are and have here. Decision 0065 lists them. */
export const serviceWords = [
  "Slipway",
  "n8n",
  "Node-RED",
  "workspace",
  "workflow",
  "automation",
  "panel",
  "owner",
  "admin",
  "operator",
] as const;

/** Shorter ones, such as "de" or "io", are in too many words of too many languages. */
const shortestWord = 3;

/** A birthday, or a year between marks as in "Slipway-2024!", is what people add. */
const mostAdded = 6;

/** Signs that people write for letters. I, l and 1 are one letter here, since each is written for the others. */
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
 * Whether a password is hardly more than such words: at most six of its characters belong to none of them, and none of those six is
 * a letter. `names` are texts such as a full name, an e-mail address or a host name; they count whole, without their signs, and in
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
  // Half a character is one of thousands of letters and pictures.
  return rest.length <= mostAdded && !rest.some((index) => /[\p{L}\p{Cs}]/u.test(plain.charAt(index)));
}

/** The text and what stands between its spaces: each as it is, its letters and digits in one, and each run of them. */
function wordsOf(name: string): string[] {
  const plain = simplify(name);
  const spellings = [plain, ...plain.split(/\s+/)].flatMap((piece) => {
    const runs = piece.split(/[^\p{L}\p{N}]+/u);
    return [piece, runs.join(""), ...runs];
  });
  return spellings.filter((word) => word.length >= shortestWord).map(fold);
}

const simplify = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** Of the same length, so that a place in the one is the same place in the other. */
const fold = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => swaps[text.charAt(index)] ?? text.charAt(index)).join("");
