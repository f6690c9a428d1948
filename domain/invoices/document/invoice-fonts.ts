/**
 * The fonts of invoices: Inter for Latin, Greek and Cyrillic letters, and one for each other script. A font is read and parsed once per
 * process, when the first invoice needs it: the largest has 8 MB.
 */
import { fileURLToPath } from "node:url";
import { ShapedFont } from "./shaped-font.ts";

export type Face = "regular" | "bold";

interface Family {
  /** The letters it is for. */
  letters: RegExp;
  file: Record<Face, string>;
}

const expo = (name: string, slug: string, bold: "600SemiBold" | "700Bold"): Family["file"] => ({
  regular: `@expo-google-fonts/${slug}/400Regular/${name}_400Regular.ttf`,
  bold: `@expo-google-fonts/${slug}/${bold}/${name}_${bold}.ttf`,
});

const noto = (script: string): Family => ({
  letters: new RegExp(String.raw`\p{scx=${script}}`, "u"),
  file: expo(`NotoSans${script}`, `noto-sans-${script.toLowerCase()}`, "600SemiBold"),
});

const inter: Family = { letters: /./u, file: expo("Inter", "inter", "600SemiBold") };
const japanese: Family = { letters: /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u, file: expo("BIZUDPGothic", "biz-udpgothic", "700Bold") };
/** All 27,484 Han characters of the basic plane, in the shapes of mainland China. */
const chinese: Family = {
  letters: /[\p{scx=Han}\p{scx=Bopomofo}\p{scx=Hira}\p{scx=Kana}]/u,
  file: { regular: "@embedpdf/fonts-sc/../fonts/NotoSansHans-Regular.otf", bold: "@embedpdf/fonts-sc/../fonts/NotoSansHans-Bold.otf" },
};
const korean: Family = { letters: /\p{scx=Hangul}/u, file: expo("NanumGothic", "nanum-gothic", "700Bold") };

const others = [
  ["Arabic", "Hebrew", "Thai", "Lao", "Khmer", "Myanmar", "Georgian", "Armenian", "Ethiopic"],
  ["Devanagari", "Bengali", "Gujarati", "Gurmukhi", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala"],
]
  .flat()
  .map(noto);

const parsed = new Map<string, ShapedFont>();

/** Without `..`: a package may hide its files from `import`, so they are found beside what it exports. */
function locate(file: string): string {
  const [name, rest] = file.split("/../");
  return fileURLToPath(rest ? new URL(`../${rest}`, import.meta.resolve(name!)) : import.meta.resolve(file));
}

function open(family: Family, face: Face): ShapedFont {
  const file = family.file[face];
  const known = parsed.get(file);
  if (known) return known;
  const font = new ShapedFont(locate(file));
  parsed.set(file, font);
  return font;
}

/** Inter's, for whatever no other font is needed for. */
export const plainFont = (face: Face): ShapedFont => open(inter, face);

const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const covers = (font: ShapedFont, grapheme: string): boolean =>
  Array.from(grapheme).every((character) => ignorable.test(character) || font.has(character));

const kana = /[\p{sc=Hira}\p{sc=Kana}]/u;

/**
 * The font for one character of `text`; null if none has it. Han characters have Japanese shapes in a text with kana and for a customer in
 * Japan.
 */
export function fontFor(grapheme: string, face: Face, text: string, country: string): ShapedFont | null {
  const isJapanese = country === "JP" || kana.test(text);
  const eastern = isJapanese ? [japanese, chinese, korean] : [chinese, japanese, korean];
  const families = [inter, ...[...eastern, ...others].filter(({ letters }) => letters.test(grapheme))];
  for (const family of families) {
    const font = open(family, face);
    if (covers(font, grapheme)) return font;
  }
  // Such as the fullwidth forms, which belong to no script.
  return families.length === 1 && /[\u2e80-\u303f\u3200-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u.test(grapheme)
    ? (eastern.map((family) => open(family, face)).find((font) => covers(font, grapheme)) ?? null)
    : null;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
export const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** Whether invoices can print every character. */
export const canPrint = (text: string): boolean => graphemesOf(text).every((grapheme) => fontFor(grapheme, "regular", text, "") !== null);
