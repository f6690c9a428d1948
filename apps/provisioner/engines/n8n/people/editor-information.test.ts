import { expect, test } from "vitest";
import { editorInformation } from "./editor-information.ts";

test.each([
  ["marketing-growth", "Marketing"],
  ["sales-businessDevelopment", "Sales"],
  ["IT-Engineering", "IT"],
  ["finance", "finance"],
])("the work area %s is the team %s to the editor", (workArea, team) => {
  expect(editorInformation({ workArea })).toEqual({ workArea, what_team_are_you_on: team });
});

test.each([0, 1, 5])("a coding skill of %i is as many abilities", (codingSkills) => {
  expect(editorInformation({ codingSkills })["which_of_these_do_you_feel_comfortable_doing"]).toHaveLength(codingSkills);
});

test("unanswered questions stay empty", () => {
  expect(editorInformation({})).toEqual({});
});
