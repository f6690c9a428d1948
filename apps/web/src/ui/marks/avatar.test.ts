import { expect, test } from "vitest";
import { initialsOf } from "./avatar.tsx";

test.each([
  ["Ada Lovelace", "AL"],
  ["Ada", "A"],
  ["ada king of lovelace", "AL"],
  ["  Özlem  Ünal ", "ÖÜ"],
  ["𝒜da", "𝒜"],
  ["<b>Ada (admin)", "BA"],
  ["…", ""],
])("%s has the initials %s", (name, initials) => expect(initialsOf(name)).toBe(initials));
