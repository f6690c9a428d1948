/** Finds answers while one types. There are few enough to look through all of them at every key. */
export interface HelpItem {
  /** Part of the answer's address: never changed once published. */
  id: string;
  question: string;
  answer: string;
  /** Other words for the same, which people search by. */
  also: string;
}

export interface HelpSection {
  title: string;
  items: readonly HelpItem[];
}

/** A word in the question says more about an answer than one inside it; the section's title least. */
const scores = { questionStart: 8, question: 5, answer: 2, also: 2, section: 1 };

/** Words of a question that say nothing of what it is about. */
const fillers = new Set([
  "a",
  "an",
  "the",
  "how",
  "do",
  "does",
  "i",
  "my",
  "me",
  "to",
  "can",
  "is",
  "are",
  "what",
  "of",
  "in",
  "on",
  "it",
  "where",
  "when",
  "why",
]);

/** The words to look for, each once; a query of nothing but fillers is taken as it is. */
export function searchWords(query: string): string[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
  const telling = words.filter((word) => !fillers.has(word));
  return telling.length > 0 ? telling : words;
}

/** The items in which every word occurs, the best first; all of them, in their order, for an empty query. */
export function searchHelp(sections: readonly HelpSection[], query: string): HelpItem[] {
  const words = searchWords(query);
  const found = sections.flatMap(({ title, items }) => items.map((item) => ({ item, score: scoreOf(item, title, words) })));
  return (
    found
      .filter(({ score }) => score > 0 || words.length === 0)
      // Of equals the shorter question first: more of it is what was asked.
      .toSorted((a, b) => b.score - a.score || (words.length > 0 ? a.item.question.length - b.item.question.length : 0))
      .map(({ item }) => item)
  );
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
  if (item.also.includes(word)) return scores.also;
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
