/**
 * A pseudo-language that reveals mistakes: every text is 40 % longer, like German and French, with marks at both ends. A text without marks
 * is not in a catalogue; one whose end is missing is cut off. Only tests use it: see `stretchedKey` in lib/browser/language.ts.
 */
const accented: Record<string, string> = { a: "á", e: "é", i: "í", o: "ó", u: "ú", n: "ñ", c: "ç", A: "Á", E: "É", O: "Ó", U: "Ú" };

/** The text, longer and marked; its values stay unchanged. */
export function stretch(text: string): string {
  let seen = 0;
  const more = text.replace(/\{\{\w+\}\}|\p{L}+/gu, (part) => {
    if (part.startsWith("{{")) return part;
    const drawn = part.split("").map((letter) => {
      seen += 1;
      const written = accented[letter] ?? letter;
      return seen % 5 === 0 || seen % 5 === 2 ? written + written : written;
    });
    return drawn.join("");
  });
  return `⟦${more}⟧`;
}
