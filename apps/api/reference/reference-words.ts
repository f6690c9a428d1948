/** The reference's own words. What describes a call comes from the contract, in English; German readers get `call-descriptions.de.ts`. */
import { fieldWords } from "#contract/api/field-words.ts";
import type { Language } from "#contract/accounts/language.ts";
import { problems } from "#contract/api/problem.ts";
import germanFields from "#apps/web/src/lib/errors/field-words.de.ts";
import germanSignInErrors from "#apps/web/src/lib/errors/sign-in-errors.de.ts";
import germanErrors from "#apps/web/src/lib/errors/words.de.ts";
import { germanCallDescriptions } from "./call-descriptions.de.ts";

const english = {
  lead: "Every API call of the panel. Errors are application/problem+json with a stable `code`.",
  home: "Slipway home",
  dashboard: "Dashboard",
  manage: "Manage",
  help: "Help",
  sections: "Sections",
  firstCall: "First call",
  signIn: "Sign in to get a token. It works until the session ends. Send it with each call.",
  refusals: (codes: (text: string) => string, fields: (text: string) => string) =>
    `An error response has a status of 400 or higher and a stable ${codes("code")}. Invalid fields have their own ${fields("codes")}. With 429, the <code>retry-after</code> header says when to try again.`,
  find: "Find a call",
  findHint: "backups, restart, POST …",
  examples: "Examples",
  findNone: "No calls match.",
  shapes: "Types",
  errorCodes: "Error codes",
  fieldCodes: "Field codes",
  needsSession: "Needs a session: the <code>token</code> cookie, or <code>Authorization: Bearer</code>.",
  inThe: (place: string) => `in the ${place}`,
  optional: ", optional",
  body: "Body",
  answer: (status: string) => `Response ${status}`,
  refusedWith: "Refused with",
  empty: "Empty.",
  anything: "anything",
  listOf: "list of",
  mapOf: "map of",
  characters: " characters",
  atLeast: "at least",
  atMost: "at most",
  to: "to",
  tags: {} as Readonly<Record<string, string>>,
  /** What describes a call or a parameter, by its English text. */
  descriptions: {} as Readonly<Record<string, string>>,
  errors: Object.fromEntries(Object.entries(problems).map(([code, { title }]) => [code, title])) as Readonly<Record<string, string>>,
  fields: fieldWords as Readonly<Record<string, string>>,
  /** For try-calls.js. */
  script: {
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Select and copy manually",
    tryIt: "Try it",
    ownSession: "Sent from this browser, with your own session.",
    body: "Body",
    real: "This call is real: it may change my account.",
    send: "Send",
    waiting: "Waiting for the response…",
    after: "after {ms} ms",
    signIn: "Sign in",
    signInThen: ", then send the call again.",
    tooLate: "No response within 15 seconds.",
    unreachable: "The call did not reach the service.",
    noType: "no type",
  },
};

export type ReferenceWords = typeof english;

const germanSentences = { ...germanSignInErrors.signInErrors, ...germanErrors.furtherErrors } as Readonly<
  Record<string, { sentence: string } | undefined>
>;

const german: ReferenceWords = {
  lead: "Alle Aufrufe des Panels. Fehler sind application/problem+json mit einem gleichbleibenden `code`. Anmerkungen zu Feldern sind auf Englisch.",
  home: "Slipway-Startseite",
  dashboard: "Dashboard",
  manage: "Verwalten",
  help: "Hilfe",
  sections: "Abschnitte",
  firstCall: "Erster Aufruf",
  signIn: "Melden Sie sich an, um ein Token zu erhalten. Es gilt bis zum Ende der Sitzung. Senden Sie es mit jedem Aufruf.",
  refusals: (codes, fields) =>
    `Eine Ablehnung hat einen Status ab 400 und einen Body mit einem ${codes("Code")}, der sich nicht ändert; abgelehnte Felder haben eigene ${fields("Codes")}. Bei 429 steht in <code>retry-after</code>, wann ein neuer Versuch möglich ist.`,
  find: "Aufruf suchen",
  findHint: "backups, restart, POST …",
  examples: "Beispiele",
  findNone: "Kein Aufruf passt.",
  shapes: "Strukturen",
  errorCodes: "Fehlercodes",
  fieldCodes: "Feldcodes",
  needsSession: "Braucht eine Sitzung: das Cookie <code>token</code> oder <code>Authorization: Bearer</code>.",
  inThe: (place) => ({ path: "im Pfad", query: "in der Query", header: "im Header", cookie: "im Cookie" })[place] ?? place,
  optional: ", optional",
  body: "Body",
  answer: (status) => `Antwort ${status}`,
  refusedWith: "Ablehnungen",
  empty: "Leer.",
  anything: "beliebig",
  listOf: "Liste von",
  mapOf: "Zuordnung zu",
  characters: " Zeichen",
  atLeast: "mindestens",
  atMost: "höchstens",
  to: "bis",
  tags: {
    Account: "Konto",
    Billing: "Abrechnung",
    Credentials: "Zugangsdaten",
    Development: "Entwicklung",
    Export: "Export",
    Invitations: "Einladungen",
    "Node catalogue": "Node-Katalog",
    Plans: "Tarife",
    Service: "Dienst",
    Sessions: "Sitzungen",
    "Sign-up": "Registrierung",
    Workspace: "Workspace",
  },
  descriptions: germanCallDescriptions,
  errors: Object.fromEntries(Object.entries(problems).map(([code, { title }]) => [code, germanSentences[code]?.sentence ?? title])),
  fields: { ...fieldWords, ...germanFields.fields },
  script: {
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Bitte markieren und von Hand kopieren",
    tryIt: "Ausprobieren",
    ownSession: "Wird aus diesem Browser gesendet, mit Ihrer eigenen Sitzung.",
    body: "Body",
    real: "Dieser Aufruf ist echt: Er kann mein Konto ändern.",
    send: "Senden",
    waiting: "Warten auf die Antwort …",
    after: "nach {ms} ms",
    signIn: "Melden Sie sich an",
    signInThen: " und senden Sie den Aufruf noch einmal.",
    tooLate: "Keine Antwort innerhalb von 15 Sekunden.",
    unreachable: "Der Aufruf hat den Dienst nicht erreicht.",
    noType: "kein Typ",
  },
};

export const referenceWords: Readonly<Record<Language, ReferenceWords>> = { en: english, de: german };
