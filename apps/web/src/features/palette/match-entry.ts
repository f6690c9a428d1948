/** Finds the palette's entries for a query, matching loosely. There are about two hundred, and all are checked at every key press. */
import { plainText } from "../../lib/plain-text.ts";

/** A whole word weighs more than a prefix, a prefix more than a part, and letters that merely occur in order weigh least. */
const scores = { word: 16, wordStart: 12, inside: 6, scattered: 2 };

/** How well a name matches; 0: not at all. Every word must occur; `also` are synonyms, and weigh less. */
export function matchScore(query: string, name: string, also = ""): number {
  const words = plainText(query).split(/\s+/).filter(Boolean);
  let total = 0;
  for (const word of words) {
    const score = Math.max(scoreOf(word, plainText(name)), scoreOf(word, plainText(also)) / 2);
    if (score === 0) return 0;
    total += score;
  }
  // With equal scores the shorter name comes first: the query covers more of it.
  return total === 0 ? 0 : total + 1 / (1 + name.length);
}

function scoreOf(word: string, text: string): number {
  const parts = text.split(/[^\p{L}\p{N}]+/u);
  if (parts.includes(word)) return scores.word;
  if (parts.some((part) => part.startsWith(word))) return scores.wordStart;
  if (text.includes(word)) return scores.inside;
  return word.length > 1 && parts.some((part) => isScattered(word, part)) ? scores.scattered : 0;
}

/** Whether the letters occur in order in one word, starting with its first: `dshb` in `dashboard`. */
function isScattered(word: string, part: string): boolean {
  if (part[0] !== word[0]) return false;
  let at = -1;
  for (const letter of word) {
    at = part.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
