/** Finds answers as the user types. There are few enough to search them all at every key press. */
import { plainText } from "../../lib/plain-text.ts";

export interface HelpItem {
  /** Part of the answer's address: never changed once published. */
  id: string;
  question: string;
  answer: string;
  /** Synonyms that people search for. */
  also: string;
}

export interface HelpSection {
  title: string;
  items: readonly HelpItem[];
}

/** A word in the question weighs more than one inside the answer; the section's title, and a word that is only similar, weigh least. */
const scores = { questionStart: 8, question: 5, answer: 2, also: 2, section: 1, similar: 1 };

/** Words of a question that say nothing about its subject. */
const fillers = new Set(
  [
    "a an the how do does did i my me we our you your to can could should would will is are was what of in on it its",
    "where when why who which there this that and or for from with have has get want need please help",
    "der die das den dem ein eine einen einem ich wir mein meine meinen mir uns unser sie ihr wie was wo wann warum wer welche",
    "kann können soll muss ist sind wird zu auf im in und oder für von mit habe haben hat es gibt bitte hilfe",
  ].flatMap((words) => plainText(words).split(" ")),
);

const letters = /[\p{L}\p{N}]+/gu;

/** Minimum lengths for tolerating one wrong letter and two: shorter words are too similar to others. */
const forgives = { one: 4, two: 8 };

/** The words to look for, without duplicates; a query consisting only of fillers is used as it is. */
function searchWords(query: string): string[] {
  return telling(wordsIn(query));
}

function telling(words: readonly string[]): string[] {
  const left = words.filter((word) => !fillers.has(word));
  return left.length > 0 ? left : [...words];
}

/** The items in which every word occurs, the best first; all of them, in their order, for an empty query. */
export function searchHelp(sections: readonly HelpSection[], query: string): HelpItem[] {
  const words = searchWords(query);
  return ranked(sections, words, words.length);
}

/** For a query of which no item has every word: those with at least half of its longer words, the best first. */
export function closestHelp(sections: readonly HelpSection[], query: string): HelpItem[] {
  // Two letters occur in almost every answer.
  const words = searchWords(query).filter((word) => word.length > 2);
  return words.length > 1 ? ranked(sections, words, Math.ceil(words.length / 2)) : [];
}

function ranked(sections: readonly HelpSection[], words: readonly string[], fewest: number): HelpItem[] {
  const scored = sections.flatMap(({ title, items }) =>
    items.map((item) => {
      const found = words.map((word) => scoreOfWord(item, title, word)).filter((score) => score > 0);
      return { item, found: found.length, score: found.reduce((sum, score) => sum + score, 0) };
    }),
  );
  return (
    scored
      .filter(({ found }) => found >= fewest)
      // With equal scores the shorter question comes first: the query covers more of it.
      .toSorted((a, b) => b.score - a.score || (words.length > 0 ? a.item.question.length - b.item.question.length : 0))
      .map(({ item }) => item)
  );
}

function scoreOfWord(item: HelpItem, sectionTitle: string, word: string): number {
  const question = plainText(item.question);
  if (new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "u").test(question)) return scores.questionStart;
  if (question.includes(word)) return scores.question;
  if (plainText(item.answer).includes(word)) return scores.answer;
  if (plainText(item.also).includes(word)) return scores.also;
  if (plainText(sectionTitle).includes(word)) return scores.section;
  return wordsIn(`${item.question} ${item.also}`).some((known) => isSimilar(known, word)) ? scores.similar : 0;
}

/** The words of a text, without duplicates, in lower case and without accents. */
const wordsIn = (text: string): string[] => [...new Set(plainText(text).match(letters) ?? [])];

/** Whether one is the other with an ending (`restarting`), or mistyped (`invioce`). */
function isSimilar(known: string, typed: string): boolean {
  if (known.length >= forgives.one && typed.startsWith(known) && typed.length - known.length <= 3) return true;
  const allowed = typed.length >= forgives.two ? 2 : typed.length >= forgives.one ? 1 : 0;
  return allowed > 0 && known[0] === typed[0] && Math.abs(known.length - typed.length) <= allowed && mistakes(known, typed) <= allowed;
}

/** How many letters were left out, added, replaced, or swapped with the next one. */
function mistakes(known: string, typed: string): number {
  const rows = [Array.from({ length: typed.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= known.length; row += 1) {
    const last = rows[row - 1]!;
    const now = [row];
    for (let column = 1; column <= typed.length; column += 1) {
      const isSame = known[row - 1] === typed[column - 1];
      const isSwapped = row > 1 && column > 1 && known[row - 1] === typed[column - 2] && known[row - 2] === typed[column - 1];
      now.push(
        Math.min(
          last[column]! + 1,
          now[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwapped ? rows[row - 2]![column - 2]! + 1 : Infinity,
        ),
      );
    }
    rows.push(now);
  }
  return rows[known.length]![typed.length]!;
}

interface TextPart {
  text: string;
  isFound: boolean;
}

/** Splits a text at the words of the query, so that they can be highlighted. */
export function markFound(text: string, query: string): TextPart[] {
  // In the text's own spelling, which is what gets highlighted.
  const words = telling(query.toLowerCase().match(letters) ?? []).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text, isFound: false }];
  // Words are only letters and digits, so nothing in them has a meaning in a pattern.
  const pattern = new RegExp(`(${words.join("|")})`, "giu");
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isFound: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
