/** The page about attacks lists every attack that is tried, and no other. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { allAttacks } from "./all-attacks.ts";
import { privateCalls } from "./attacks/forge.ts";

test("docs/security/attacks.md lists the attacks in order, with their means", () => {
  const page = readFileSync(new URL("../../docs/security/attacks.md", import.meta.url), "utf8");
  const rows = page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, 3)
        .map((cell) => cell.trim()),
    );
  expect(rows.slice(1)).toEqual(allAttacks.map(({ title, means }) => [title, means]));
});

test("every call of n8n's hook that takes a token of the control plane is forged", () => {
  const hooks = readFileSync(new URL("../../apps/provisioner/engines/n8n/workspace-side/hooks.mts", import.meta.url), "utf8");
  const routes = [...hooks.matchAll(/app\.(get|post)\("(\/_slipway\/[^"]+)", bearerOnly\("([^"]+)"\)/g)];
  expect(routes.length).toBe(hooks.split('bearerOnly("').length - 1);
  expect(privateCalls).toEqual(routes.map(([, method, path, audience]) => [method!.toUpperCase(), path, audience]));
});
