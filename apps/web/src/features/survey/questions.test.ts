import { expect, test } from "vitest";
import { hasAiAnswer, questionsToAsk, shownQuestion } from "./questions.ts";

test("the questions about AI follow the others if that survey is open", () => {
  expect(questionsToAsk(false)).toEqual(["workArea", "codingSkills", "companyIndustry", "companySize"]);
  expect(questionsToAsk(true)).toEqual([...questionsToAsk(false), "uses", "experience", "goal"]);
});

test.each([
  ["", "workArea"],
  ["companySize", "companySize"],
  ["goal", "workArea"],
  ["no question of today", "workArea"],
])("of the first survey, %j leads to %s", (kept, expected) => {
  expect(shownQuestion(questionsToAsk(false), kept)).toBe(expected);
});

test.each([
  [{}, false],
  [{ uses: [], goal: "  " }, false],
  [{ uses: ["agents" as const] }, true],
  [{ experience: "new" as const }, true],
  [{ goal: "A bot" }, true],
])("%j is an answer about AI: %s", (answer, expected) => {
  expect(hasAiAnswer(answer)).toBe(expected);
});
