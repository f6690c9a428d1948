import type { Translated } from "../../words/spoken.ts";
import type { challengeWords } from "./words.ts";

export default {
  challenge: {
    label: "Ich bin ein Mensch",
    hint: "Eine kurze Prüfung im Browser, ohne Dritte.",
    loading: "Prüfung wird geladen …",
    solving: "Prüfung läuft … Sie können weiter ausfüllen.",
    solved: "Bestätigt.",
    failedTitle: "Die Prüfung konnte nicht geladen werden",
    failedText:
      "Prüfen Sie Ihre Verbindung und Erweiterungen, die Skripte blockieren, und versuchen Sie es erneut. Ihre Eingaben bleiben erhalten.",
    insecureTitle: "Die Prüfung braucht eine sichere Verbindung",
    insecureText: "Öffnen Sie diese Seite über HTTPS, oder wenden Sie sich an den Betreiber dieses Dienstes.",
    retrying: "Neuer Versuch …",
  },
} satisfies Translated<{ challenge: typeof challengeWords }>;
