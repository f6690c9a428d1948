import { expect, test } from "vitest";
import { problems } from "#contract/api/problem.ts";
import { textsIn } from "#testing/content/texts-in.ts";
import { leavingWords } from "../features/billing/subscription/words.ts";
import { billingWords } from "../features/billing/words.ts";
import { helpSections } from "../features/help/spoken-answers.ts";
import { sharedValues } from "./shared-values.ts";
import { enHelp } from "../features/help/answers.ts";
import { dangerWords } from "../features/workspace-settings/danger/words.ts";
import { t as workspaceText } from "../features/workspace/words.ts";
import { workspaceStateWords } from "../features/workspace/state/words.ts";
import { t as dashboardText } from "../pages/dashboard/words.ts";
import { signInErrors } from "../lib/errors/sign-in-errors.ts";
import { frameWords, t } from "./frame.ts";
import { speak, spokenLanguage } from "./spoken.ts";
import { wordsOf } from "./words-of.ts";

test("values are inserted", () => {
  expect(t("product.titled", { page: "Help" })).toBe("Help · Slipway");
});

test("the plural follows the count", () => {
  expect(workspaceText("workspace.trialLeft", { count: 1 })).toBe("1 day left in trial");
  expect(workspaceText("workspace.trialLeft", { count: 14 })).toBe("14 days left in trial");
  expect(workspaceText("workspace.trialLeft", { count: 0 })).toBe("0 days left in trial");
});

test("every page that announces the deletion of a workspace says what is kept and for how long", () => {
  const { cancelled, cancel, paused, ended } = billingWords;
  const told = [
    cancelled.text,
    cancel.text,
    paused.until,
    ended.until,
    leavingWords.deletionText,
    workspaceStateWords.expiring.noticeText,
    workspaceStateWords["scheduled-for-deletion"].notice,
    dangerWords.text,
    dangerWords.dialogLead,
  ];
  const answers = enHelp.flatMap(({ items }) => items).filter(({ id }) => ["trial-end", "cancel", "failed-payment"].includes(id));
  expect(answers).toHaveLength(3);
  for (const text of [...told, ...answers.map(({ answer }) => answer)])
    expect(text).toMatch(/last backup is (then )?kept for (another )?\{\{backupDays\}\} days/i);
  expect(cancel.textTrial).toContain("7 days later it is deleted");
  // A cancelled plan's workspace is deleted at the period's end, and comes back with a payment.
  for (const text of [cancelled.text, cancel.text, workspaceStateWords.expiring.noticeText]) {
    expect(text).toContain("deleted with its workflows and credentials");
    expect(text).toContain("everything comes back");
    expect(text).not.toContain("days later");
  }
});

test("the days that the service keeps last backups are those of its settings", () => {
  const say = wordsOf({ kept: "Kept for {{backupDays}} days." });
  expect(say("kept")).toBe("Kept for 30 days.");
  sharedValues.backupDays = 45;
  try {
    expect(say("kept")).toBe("Kept for 45 days.");
    expect(
      helpSections()
        .flatMap(({ items }) => items)
        .find(({ id }) => id === "cancel")!.answer,
    ).toContain("kept for 45 days");
  } finally {
    sharedValues.backupDays = 30;
  }
});

test("user input is not interpreted as markup", () => {
  expect(dashboardText("dashboard.greeting", { name: "{{count}} $& $1" })).toBe("Hello, {{count}} $& $1");
});

test("a name written from right to left does not reorder the sentence around it", () => {
  expect(dashboardText("dashboard.greeting", { name: "עדה" })).toBe("Hello, \u2068עדה\u2069");
});

test("an unknown key is refused and never shown", () => {
  const say = wordsOf({ greeting: { morning: "Good morning" } });
  expect(say("greeting.morning")).toBe("Good morning");
  expect(() => say("greeting.evening" as "greeting.morning")).toThrow("greeting.evening");
});

test("a language is announced with the words of a page that was fetched while it was loading", async () => {
  const german = Promise.withResolvers<{ default: Record<string, unknown> }>();
  wordsOf({ early: { text: "Early" } }, { de: () => german.promise });
  const heard: string[] = [];
  const forget = spokenLanguage.subscribe(() => heard.push(late("late.text")));
  const speaking = speak("de");
  const late = wordsOf({ late: { text: "Late" } }, { de: () => Promise.resolve({ default: { late: { text: "Spät" } } }) });
  expect(late("late.text")).toBe("Late");
  german.resolve({ default: { early: { text: "Früh" } } });
  await speaking;
  forget();
  await speak("en");
  expect(heard).toEqual(["Spät"]);
  expect(late("late.text")).toBe("Late");
});

test("pages repeat these titles of errors to the letter, so a changed one is changed there as well", () => {
  const catalogues = import.meta.glob("../{features,layouts,pages}/**/words.ts", { eager: true });
  const texts = new Set(textsIn({ frameWords, ...catalogues }).map(([, text]) => text));
  const repeated = Object.entries(problems).filter(([, { title }]) => texts.has(title));
  expect(repeated.map(([code]) => code).toSorted()).toEqual([
    "email_change_over",
    "login_code_invalid",
    "not_found",
    "plan_not_found",
    "preview_stale",
    "session_expired",
    "update_billing_first",
  ]);
});

test("no text of the catalogues is empty, and every plural has both forms", () => {
  const catalogues = import.meta.glob("../{features,layouts,lib,pages}/**/words.ts", { eager: true });
  expect(Object.keys(catalogues).length).toBeGreaterThan(20);
  const texts = new Map(textsIn({ frameWords, signInErrors, ...catalogues }));
  expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
  const forms = [...texts.keys()].filter((key) => /_(one|other)$/.test(key));
  expect(forms.length).toBeGreaterThan(0);
  expect(forms.filter((key) => !texts.has(key.replace(/_one$/, "_other")) || !texts.has(key.replace(/_other$/, "_one")))).toEqual([]);
});
