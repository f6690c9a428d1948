/** Answers a call that is refused because the plan's executions are used, in the caller's format; people read their language. */
import type { Request, Response } from "./handler.mts";
import { sendDocument } from "./page.mts";
import { readerLanguage, type Language } from "./reader-language.mts";

const hourSeconds = 3600;

interface Words {
  locale: string;
  title: string;
  untilDay: (day: string) => string;
  untilChoice: string;
}

const words: Record<Language, Words> = {
  en: {
    locale: "en-GB",
    title: "This workspace has used all of its executions",
    untilDay: (day) => `Nothing was run. It accepts calls again on ${day}, or as soon as its owner chooses a larger plan.`,
    untilChoice: "Nothing was run. It accepts calls again once its owner chooses a larger plan.",
  },
  de: {
    locale: "de",
    title: "Dieser Workspace hat alle seine Ausführungen verbraucht",
    untilDay: (day) =>
      `Es wurde nichts ausgeführt. Am ${day} nimmt er wieder Aufrufe an, oder sobald sein Inhaber einen größeren Tarif wählt.`,
    untilChoice: "Es wurde nichts ausgeführt. Er nimmt wieder Aufrufe an, sobald sein Inhaber einen größeren Tarif wählt.",
  },
};

const busyWords: Record<Language, { title: string; detail: string }> = {
  en: {
    title: "Too many calls at once",
    detail: "This workspace is working on as many calls as it can, and too many are waiting already. Try again in a moment.",
  },
  de: {
    title: "Zu viele Aufrufe auf einmal",
    detail: "Dieser Workspace bearbeitet so viele Aufrufe, wie er kann, und es warten schon zu viele. Versuchen Sie es gleich noch einmal.",
  },
};

/** 429 with `workspace_too_many_calls`, in the words of the gateway, which answers so where too many calls wait there. */
export function sendBusyCall(headers: Request["headers"] | undefined, response: Response): void {
  sendRefusal(headers, response, { status: 429, code: "workspace_too_many_calls", seconds: 5, wordsIn: (language) => busyWords[language] });
}

/** 429 if the next usage period lifts it, otherwise 402. A stranger learns when to retry, and nothing about the plan. */
export function sendRefusedCall(
  headers: Request["headers"] | undefined,
  response: Response,
  nextPeriod: string | undefined,
  now: Date,
): void {
  // Its owner may choose another plan at any time, so callers retry within the hour.
  const seconds =
    nextPeriod === undefined ? hourSeconds : Math.min(hourSeconds, Math.ceil((Date.parse(nextPeriod) - now.getTime()) / 1000));
  const wordsIn = (language: Language) => {
    const { locale, title, untilDay, untilChoice } = words[language];
    const day = nextPeriod && new Date(nextPeriod).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
    return { title, detail: day ? untilDay(day) : untilChoice };
  };
  sendRefusal(headers, response, { status: nextPeriod === undefined ? 402 : 429, code: "executions_used_up", seconds, wordsIn });
}

interface Refusal {
  status: number;
  code: string;
  /** Until a caller may try again. */
  seconds: number;
  wordsIn(language: Language): { title: string; detail: string };
}

function sendRefusal(headers: Request["headers"] | undefined, response: Response, { status, code, seconds, wordsIn }: Refusal): void {
  const accept = headers?.["accept"];
  const isForPeople = accept?.includes("text/html") === true;
  // Programs get English: they decide by the code.
  const language = isForPeople ? readerLanguage(headers) : "en";
  const { title, detail } = wordsIn(language);
  response.set("Retry-After", String(Math.max(1, seconds))).set("Cache-Control", "no-store");
  if (isForPeople) return sendDocument(response, status, { language, heading: title, sentences: [detail] });
  if (accept?.includes("text/plain") && !accept.includes("json"))
    return void response.status(status).type("text/plain").send(`${title}. ${detail}\n`);
  response
    .status(status)
    .type("application/problem+json")
    .send(`${JSON.stringify({ type: "about:blank", title, status, code, detail, message: `${title}. ${detail}` })}\n`);
}
