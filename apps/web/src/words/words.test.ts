import { expect, test } from "vitest";
import { en } from "./frame.ts";
import "./add-panel-words.ts";
import { bannerWords } from "../features/banner/words.ts";
import { billingWords, checkoutWords, planWords } from "../features/billing/words.ts";
import { consentWords } from "../features/consent/words.ts";
import { developerWords } from "../features/developer/words.ts";
import { manageAreaWords } from "../features/members/words.ts";
import { exportWords } from "../features/export/words.ts";
import { enHelp } from "../features/help/answers.ts";
import { workspaceStateWords } from "../features/workspace/state/words.ts";
import { sessionsWords } from "../features/sessions/words.ts";
import { settingsWords } from "../features/workspace-settings/words.ts";
import { onboardingWords } from "../features/sign-up/words.ts";
import { panelWords } from "../features/workspace/words.ts";
import { updateWords } from "../features/workspace-settings/update/words.ts";
import { upgradeWords } from "../features/billing/upgrade/words.ts";
import { usageWords } from "../features/usage/words.ts";
import { visitorWords } from "../features/sign-up/registration/words.ts";
import { t } from "./words-of.ts";

test("values are filled in", () => {
  expect(t("product.titled", { page: "Help" })).toBe("Help · Slipway");
});

test("the plural follows the count", () => {
  expect(t("workspace.trialLeft", { count: 1 })).toBe("1 day of trial left");
  expect(t("workspace.trialLeft", { count: 14 })).toBe("14 days of trial left");
  expect(t("workspace.trialLeft", { count: 0 })).toBe("0 days of trial left");
});

test("wherever a page says that a workspace is going to be deleted, it says what is kept and for how long", () => {
  const { cancelled, cancel, paused, ended } = billingWords;
  const told = [
    cancelled.text,
    cancel.text,
    paused.until,
    ended.until,
    cancel.deletionText,
    workspaceStateWords.expiring.noticeText,
    workspaceStateWords["scheduled-for-deletion"].notice,
    settingsWords.danger.text,
    settingsWords.danger.dialogLead,
  ];
  const answers = enHelp.flatMap(({ items }) => items).filter(({ id }) => ["trial-end", "cancel", "failed-payment"].includes(id));
  expect(answers).toHaveLength(3);
  for (const text of [...told, ...answers.map(({ answer }) => answer)])
    expect(text).toMatch(/last backup is (then )?kept for (another )?30 days/i);
  for (const text of [cancelled.text, cancel.text, workspaceStateWords.expiring.noticeText])
    expect(text).toContain("7 days later it is deleted");
});

test("what a person typed is not read as a mark", () => {
  expect(t("dashboard.greeting", { name: "{{count}} $& $1" })).toBe("Hello, {{count}} $& $1");
});

test("no text of the catalogue is empty, and every plural has both forms", () => {
  const texts = new Map(
    leaves(
      {
        ...en,
        ...onboardingWords,
        ...panelWords,
        ...visitorWords,
        bannerWords,
        billingWords,
        checkoutWords,
        planWords,
        upgradeWords,
        usageWords,
        consentWords,
        developerWords,
        manageAreaWords,
        sessionsWords,
        settingsWords,
        updateWords,
        exportWords,
      },
      "",
    ),
  );
  expect([...texts].filter(([, text]) => text.trim() === "")).toEqual([]);
  const forms = [...texts.keys()].filter((key) => /_(one|other)$/.test(key));
  expect(forms.length).toBeGreaterThan(0);
  expect(forms.filter((key) => !texts.has(key.replace(/_one$/, "_other")) || !texts.has(key.replace(/_other$/, "_one")))).toEqual([]);
});

function leaves(words: object, path: string): [string, string][] {
  return Object.entries(words).flatMap(([key, value]: [string, string | object]) =>
    typeof value === "string" ? [[path + key, value] as [string, string]] : leaves(value, `${path}${key}.`),
  );
}
