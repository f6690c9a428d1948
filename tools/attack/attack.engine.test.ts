/**
 * Two real tenants on a real n8n, one of whom attacks: no attack may do harm. If the host cannot isolate tenants there is nothing
 * to attack, because production refuses to run there: then the test checks that refusal.
 */
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeIsolation } from "#apps/provisioner/drivers/process/host/describe-isolation.ts";
import { allAttacks } from "./all-attacks.ts";
import type { Attack, Outcome } from "./attack.ts";
import { refusal } from "./refusal.ts";
import { reachableEngines } from "./scene/reachable-engines.ts";
import { setScene, type Scene } from "./scene/scene.ts";
import { lineOf } from "./table.ts";

const engines = reachableEngines();
const isolation = describeIsolation([tmpdir(), engines.dir, process.execPath]);
engines.release();
const attacks = isolation.isolated ? allAttacks : [refusal(isolation.reason ?? "")];

let scene: Scene;
beforeAll(async () => {
  if (isolation.isolated) scene = await setScene();
});
afterAll(() => scene?.close(), 3 * 60_000);

test.each(attacks)(
  "an attacker $title",
  async (attack) => {
    const outcome = await attack.run(scene).finally(() => attack.mayEndItself && scene.revive());
    const harms = [...outcome.harms, ...(scene ? overheard(scene) : [])];
    note(attack, { ...outcome, harms });
    expect(harms).toEqual([]);
  },
  5 * 60_000,
);

/** Secrets in any answer to the attacker. */
function overheard(of: Scene): string[] {
  const heard = of.heard();
  return [...of.secrets].filter(([, value]) => heard.includes(value)).map(([what]) => `it heard ${what}`);
}

/** For `npm run attack`, which prints a table. */
function note(attack: Attack, outcome: Outcome): void {
  const file = process.env["SLIPWAY_ATTACK_TABLE"];
  if (file) appendFileSync(file, lineOf(attack, outcome));
}
