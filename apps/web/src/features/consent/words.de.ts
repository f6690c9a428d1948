import type { Translated } from "../../words/spoken.ts";
import type { consentWords } from "./words.ts";

export default {
  consent: {
    label: "Analyse",
    title: "Nutzungsanalyse erlauben?",
    text: "Mit Ihrer Erlaubnis erfassen wir, welche Seiten und Schritte genutzt werden, um sie zu verbessern. Wenn Sie ablehnen, wird nichts gesendet, und alles funktioniert genauso.",
    allow: "Erlauben",
    decline: "Ablehnen",
  },
} satisfies Translated<{ consent: typeof consentWords }>;
