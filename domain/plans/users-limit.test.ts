import { expect, test } from "vitest";
import { usersLimit } from "./users-limit.ts";

test.each([
  [{ licenseFeatures: { "quota:users": 3 }, userManagementEnabled: true }, 3],
  [{ licenseFeatures: { "quota:users": -1 }, userManagementEnabled: true }, -1],
  [{ licenseFeatures: {}, userManagementEnabled: true }, -1],
  [{ licenseFeatures: { "quota:users": -1 }, userManagementEnabled: false }, 1],
])("a plan with %j allows %d people", (plan, people) => expect(usersLimit(plan)).toBe(people));

test("without a plan there is no limit", () => expect(usersLimit(undefined)).toBe(-1));
