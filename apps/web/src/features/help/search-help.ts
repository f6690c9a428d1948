/** Finds answers while one types. There are few enough to look through all of them at every key. */
export interface HelpItem {
  /** Part of the answer's address: never changed once published. */
  id: string;
  question: string;
  answer: string;
}

export interface HelpSection {
  title: string;
  items: readonly HelpItem[];
}

/** A word in the question says more about an answer than one inside it; the section's title least. */
const scores = { questionStart: 8, question: 5, answer: 2, section: 1 };

/** The words to look for, each once. */
export const searchWords = (query: string): string[] => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];

/** The items in which every word occurs, the best first; all of them, in their order, for an empty query. */
export function searchHelp(sections: readonly HelpSection[], query: string): HelpItem[] {
  const words = searchWords(query);
  const found = sections.flatMap(({ title, items }) => items.map((item) => ({ item, score: scoreOf(item, title, words) })));
  return found
    .filter(({ score }) => score > 0 || words.length === 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

/** 0 where a word is missing. */
function scoreOf(item: HelpItem, sectionTitle: string, words: readonly string[]): number {
  let total = 0;
  for (const word of words) {
    const score = scoreOfWord(item, sectionTitle, word);
    if (score === 0) return 0;
    total += score;
  }
  return total;
}

function scoreOfWord(item: HelpItem, sectionTitle: string, word: string): number {
  const question = item.question.toLowerCase();
  if (new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "u").test(question)) return scores.questionStart;
  if (question.includes(word)) return scores.question;
  if (item.answer.toLowerCase().includes(word)) return scores.answer;
  return sectionTitle.toLowerCase().includes(word) ? scores.section : 0;
}

export interface TextPart {
  text: string;
  isFound: boolean;
}

/** Cuts a text where the words of the query begin and end, to mark them. */
export function markFound(text: string, query: string): TextPart[] {
  const words = searchWords(query).toSorted((a, b) => b.length - a.length);
  if (words.length === 0) return [{ text, isFound: false }];
  // Words are letters and digits alone: nothing in them means anything to a pattern.
  const pattern = new RegExp(`(${words.join("|")})`, "giu");
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isFound: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
