/** Each text of a catalogue of words with its path, such as `.login.title`. An id is none, and functions are left out. */
export function textsIn(words: unknown, path = ""): [path: string, text: string][] {
  if (typeof words === "string") return path.endsWith(".id") ? [] : [[path, words]];
  if (typeof words !== "object" || words === null) return [];
  return Object.entries(words).flatMap(([key, value]) => textsIn(value, `${path}.${key}`));
}
