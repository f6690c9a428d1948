import { expect, test } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { unsavedFields, changedElsewhere, afterSave, enterValues, profileChange, undoOf, type ProfileValues } from "./profile-draft.ts";

const user = (revision: string, { fullName = "Ada", language = null, timezone = null }: Partial<ProfileValues> = {}): User =>
  ({ fullName, profile: { language, timezone, mutedMails: [], revision } }) as unknown as User;

test("only edited fields are sent, with the revision they were based on", () => {
  expect(profileChange({ from: user("1"), values: { fullName: "Ada King" } }, user("1"))).toEqual({ fullName: "Ada King", revision: "1" });
  expect(profileChange(null, user("1"))).toEqual({ revision: "1" });
  // The browser's language is an entry too.
  expect(profileChange({ from: user("1", { language: "de" }), values: { language: null } }, user("1", { language: "de" }))).toEqual({
    language: null,
    revision: "1",
  });
});

test("a change of another field elsewhere is not a conflict; a change of the same one is, and is not overwritten", () => {
  const draft = { from: user("1"), values: { fullName: "Ada King" } };
  expect(changedElsewhere(draft, user("2", { language: "de" }))).toEqual([]);
  expect(profileChange(draft, user("2", { language: "de" })).revision).toBe("2");
  expect(changedElsewhere(draft, user("2", { fullName: "Ada Byron" }))).toEqual(["fullName"]);
  expect(profileChange(draft, user("2", { fullName: "Ada Byron" })).revision).toBe("1");
});

test("an undo restores what was entered, unless it was changed since", () => {
  const draft = { from: user("1"), values: { fullName: "Ada King" } };
  const saved = user("2", { fullName: "Ada King" });
  const undo = undoOf(draft, user("1"), saved);
  expect(profileChange(undo, saved)).toEqual({ fullName: "Ada", revision: "2" });
  expect(profileChange(undo, user("3", { fullName: "Ada King", timezone: "Europe/Vienna" }))).toEqual({ fullName: "Ada", revision: "3" });
  // A newer name stays, whether it is known here or not: this revision is refused.
  expect(profileChange(undo, user("3", { fullName: "Ada Byron" })).revision).toBe("2");
});

test("a field that is edited after it was changed elsewhere is based on the value shown at that time", () => {
  const first = enterValues(null, { fullName: "Ada King" }, user("1"));
  const german = user("2", { language: "de" });
  const second = enterValues(first, { language: "en" }, german);
  expect(changedElsewhere(second, german)).toEqual([]);
  expect(profileChange(second, german)).toEqual({ fullName: "Ada King", language: "en", revision: "2" });
  // Earlier input is still based on what was shown then.
  expect(
    changedElsewhere(
      enterValues(second, { fullName: "Ada L." }, user("3", { fullName: "Ada Byron" })),
      user("3", { fullName: "Ada Byron" }),
    ),
  ).toContain("fullName");
});

test("a save whose answer was lost does not count as a change elsewhere", () => {
  const draft = { from: user("1"), values: { fullName: "Ada King" } };
  expect(changedElsewhere(draft, user("2", { fullName: "Ada King" }))).toEqual([]);
});

test("only what differs from the profile counts as unsaved: typing a name and taking it back leaves nothing", () => {
  const typed = enterValues(null, { fullName: "Ada King", timezone: "Europe/Vienna" }, user("1"));
  expect(unsavedFields(typed, user("1"))).toEqual(["fullName", "timezone"]);
  expect(unsavedFields(enterValues(typed, { fullName: "Ada" }, user("1")), user("1"))).toEqual(["timezone"]);
  expect(unsavedFields(typed, user("2", { fullName: "Ada King", timezone: "Europe/Vienna" }))).toEqual([]);
  expect(unsavedFields(null, user("1"))).toEqual([]);
});

test("a value that was typed and taken back overwrites nothing", () => {
  const typed = enterValues(null, { fullName: "Ada King", timezone: "Europe/Vienna" }, user("1"));
  const back = enterValues(typed, { fullName: "Ada" }, user("1"));
  expect(profileChange(back, user("2", { fullName: "Ada Byron" }))).toEqual({ timezone: "Europe/Vienna", revision: "2" });
  expect(changedElsewhere(back, user("2", { fullName: "Ada Byron" }))).toEqual([]);
  expect(enterValues(back, { timezone: null }, user("1"))).toBeNull();
  // What it was based on counts, not what another tab saved meanwhile.
  const other = user("2", { fullName: "Ada Byron" });
  const mine = enterValues(null, { fullName: "Ada King" }, user("1"));
  expect(enterValues(mine, { fullName: "Ada" }, other)).toBeNull();
});

test("what is entered while a save is running stays, based on what was saved", () => {
  const sent = enterValues(null, { fullName: "Ada K", language: "de" }, user("1"));
  const saved = user("2", { fullName: "Ada K", language: "de" });
  expect(afterSave(sent, sent, saved)).toBeNull();
  expect(afterSave(null, sent, saved)).toBeNull();
  const during = enterValues(enterValues(sent, { fullName: "Ada King" }, user("1")), { timezone: "Europe/Vienna" }, user("1"));
  const since = afterSave(during, sent, saved);
  expect(changedElsewhere(since, saved)).toEqual([]);
  expect(profileChange(since, saved)).toEqual({ fullName: "Ada King", timezone: "Europe/Vienna", revision: "2" });
  // Also what was taken back meanwhile, unless the save failed.
  const back = enterValues(sent, { fullName: "Ada" }, user("1"), sent);
  expect(profileChange(afterSave(back, sent, saved), saved)).toEqual({ fullName: "Ada", revision: "2" });
  expect(profileChange(afterSave(back, sent, null), user("1"))).toEqual({ language: "de", revision: "1" });
});
