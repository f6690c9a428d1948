import type { Translated } from "../../../words/spoken.ts";
import type { strengthWords } from "./strength-words.ts";

export const strengthGerman = {
  level: "Stärke: {{level}}",
  weak: "schwach",
  fair: "mittel",
  good: "gut",
  strong: "stark",
  hint: "8 bis 64 Zeichen. Gut eignen sich ein paar Wörter ohne Zusammenhang.",
} satisfies Translated<typeof strengthWords>;

export default { strength: strengthGerman };
