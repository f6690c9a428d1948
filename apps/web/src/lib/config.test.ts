import { expect, test } from "vitest";
import { routes } from "#contract/routes.ts";
import { addressOf } from "./config.ts";

test("every call goes to one API at the panel's own origin", () => {
  for (const { path } of Object.values(routes)) expect(addressOf(path)).toBe(`/api${path}`);
});

test.each([
  ["/instance", "https://instances.test/v2/instance"],
  ["/instance/used-limits", "https://instances.test/v2/instance/used-limits"],
  ["/instances", "https://api.test/instances"],
  ["/v1/paddle/plan/pro-1/generatePayLink", "https://plans.test/plan/pro-1/generatePayLink"],
  ["/auth/me", "https://api.test/auth/me"],
])("split over hosts, %s is at %s", (path, address) => {
  const hosts = [
    ["/instance", "https://instances.test/v2/instance"],
    ["/v1/paddle", "https://plans.test"],
    ["", "https://api.test"],
  ] as const;
  expect(addressOf(path, hosts)).toBe(address);
});
