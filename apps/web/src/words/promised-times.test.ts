/** Checks that the times written as figures in the panel, and in mails about signing in, are those the service keeps to. */
import { expect, test } from "vitest";
import { languages } from "#contract/accounts/language.ts";
import { sessionDays } from "#contract/accounts/session.ts";
import { deletionAfterEndDays, deletionAfterPauseDays, lastBackupDays, trialDays } from "#contract/billing/plans/plan-days.ts";
import { defaultGatewayLimits } from "#apps/gateway/gateway-limits.ts";
import { tokenLifetimeMs } from "#apps/provisioner/engines/workspace-side/token-claims.mts";
import { linkLifeMs } from "#domain/accounts/links/link-token-store.ts";
import { sessionLivesMs } from "#domain/accounts/sessions/session-store.ts";
import { credentialWords } from "#domain/mail/templates/accounts/credential-words.ts";
import { hourMs, minuteMs, secondMs } from "#platform/clock.ts";
import { textsIn } from "#testing/content/texts-in.ts";
import { enHelp } from "../features/help/answers.ts";
import { fillShared } from "../features/help/spoken-answers.ts";
import { catalogues } from "./spoken.ts";

const modules = import.meta.glob(["../{features,layouts,lib,pages}/**/*words.ts", "./frame.ts"], { eager: true });
const translationFiles = import.meta.glob<Record<string, unknown>>("../**/*.de.ts", { eager: true });

const filled = (all: [string, string][]) => all.map(([key, text]) => [key, fillShared(text)] as const);
const texts = {
  en: filled([
    ...textsIn(enHelp),
    ...[...catalogues.values()].flatMap((english) => textsIn(english)),
    ...textsIn(credentialWords("en"), ".mail"),
  ]),
  de: filled([...textsIn(translationFiles), ...textsIn(credentialWords("de"), ".mail")]),
};

test("each number of days that a text promises is the one the service keeps to", () => {
  const promises = new Map<string, Set<number>>();
  const unknown: string[] = [];
  for (const [key, text] of [...texts.en, ...texts.de]) {
    const isOfPause = /paused|pausiert|not renewed|Ohne Verlängerung/.test(text);
    for (const clause of text.split(/[.,:;]| or | oder /)) {
      const days = /(\d+) (?:days|Tage)/.exec(clause)?.[1];
      if (!days) continue;
      const about = promiseOf(clause, isOfPause) ?? (/backup/i.test(text) ? "backup" : undefined);
      if (about) promises.set(about, (promises.get(about) ?? new Set()).add(Number(days)));
      else if (text !== `${days} days` && text !== `${days} Tage`) unknown.push(`${key}: ${clause.trim()}`);
    }
  }
  expect(Object.fromEntries([...promises].map(([about, days]) => [about, [...days]]))).toEqual({
    backup: [lastBackupDays],
    end: [deletionAfterEndDays],
    pause: [deletionAfterPauseDays],
    session: [sessionDays.longest],
    unusedSession: [sessionDays.unused],
    trial: [trialDays],
  });
  // What a chart shows, and how far testers move the clock.
  expect(unknown.filter((line) => !/[Ll]ast 30 days|[Ll]etzte[n]? 30 Tage|: \+\d+ (?:days|Tage)$/.test(line))).toEqual([]);
});

function promiseOf(clause: string, isOfPause: boolean): string | undefined {
  if (/backup/i.test(clause)) return "backup";
  if (/deleted|gelöscht|data is kept|Daten werden/.test(clause)) return isOfPause ? "pause" : "end";
  if (/sign(?:ing|ed) in|nach der Anmeldung/.test(clause)) return "session";
  if (/without use|ohne Nutzung/.test(clause)) return "unusedSession";
  if (/trial|Testphase|free|kostenlos|from the launch|ab dem Start/i.test(clause)) return "trial";
  return undefined;
}

/** A number of them, or one: "about a minute" promises nothing. */
const shortTime = /\b(\d[\d,.]*|one|einer?) (second|minute|hour|Sekunde|Minute|Stunde)(?:s|n)?\b/g;
const unitMs: Record<string, number> = {
  second: secondMs,
  Sekunde: secondMs,
  minute: minuteMs,
  Minute: minuteMs,
  hour: hourMs,
  Stunde: hourMs,
};

/** What a time in a sentence is about, by its key or its words. The first that fits. */
const shortPromises: readonly [about: RegExp, ms: number][] = [
  [/(?:wait|queued|warten).*(?:up to|bis zu)/, defaultGatewayLimits.maxWaitMs],
  [/webhook (?:has|hat)/i, defaultGatewayLimits.headersTimeoutMs],
  [/Open workspace|Workspace öffnen/, tokenLifetimeMs],
  [/sessions\.opened\.workspace/, sessionLivesMs.workspace],
  [/sessions\.opened\.operator/, sessionLivesMs.operator],
  [/verify\.|confirmEmail/, linkLifeMs["confirm-email"]],
  [/magic/i, linkLifeMs["magic-link"]],
  [/email\.sent|changeEmail|email_link/, linkLifeMs["change-email"]],
  [/forgot\.|resetPassword|password_link|Forgot password|Passwort vergessen/, linkLifeMs["reset-password"]],
];
/** Ranges of charts, what testers do to mails, when the log is read again, when to restart, and what n8n itself keeps to. */
const noShortPromise =
  /monitoring\.range|developer\.delay|logs\.slow|(?:last|letzten?) 24|launching\.|memberPassword|etwa eine Minute|eine Minute online/;

test.each(languages)("each number of hours, minutes or seconds that a text promises (%s) is the one the service keeps to", (language) => {
  expect(Object.keys(modules).length).toBeGreaterThan(20);
  const kept = new Set<RegExp>();
  const wrong: string[] = [];
  for (const [key, text] of texts[language])
    for (const sentence of text.split(/[.;] /))
      for (const [time, count, unit] of sentence.matchAll(shortTime)) {
        const promise =
          shortPromises.find(([about]) => about.test(`${key}: ${sentence}`)) ?? shortPromises.find(([about]) => about.test(text));
        const ms = (Number(count) || 1) * unitMs[unit!]!;
        if (promise && promise[1] === ms) kept.add(promise[0]);
        else if (!noShortPromise.test(`${key}: ${sentence}`)) wrong.push(`${key}: ${time}`);
      }
  expect(wrong).toEqual([]);
  expect(shortPromises.filter(([about]) => !kept.has(about))).toEqual([]);
});
