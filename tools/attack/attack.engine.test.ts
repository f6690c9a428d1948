/**
 * Two real tenants on a real n8n, and one of them attacks: each attempt must fail to harm. Where the host cannot keep tenants apart there is nothing
 * to attack, because production refuses to run there: then that is what is looked at.
 */
import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeIsolation } from "#apps/provisioner/drivers/process/describe-isolation.ts";
import { allAttempts } from "./all-attempts.ts";
import type { Attempt, Outcome } from "./attempt.ts";
import { refusal } from "./refusal.ts";
import { reachableEngines } from "./reachable-engines.ts";
import { setScene, type Scene } from "./scene.ts";
import { lineOf } from "./table.ts";

const engines = reachableEngines();
const isolation = describeIsolation([tmpdir(), engines.dir, process.execPath]);
engines.release();
const attempts = isolation.isolated ? allAttempts : [refusal(isolation.reason ?? "")];

let scene: Scene;
beforeAll(async () => {
  if (isolation.isolated) scene = await setScene();
}, 300_000);
afterAll(() => scene?.close(), 60_000);

test.each(attempts)("an attacker $title", async (attempt) => {
  const outcome = await attempt.run(scene);
  if (attempt.mayEndItself) await scene.revive();
  const harms = [...outcome.harms, ...(scene ? overheard(scene) : [])];
  note(attempt, { ...outcome, harms });
  expect(harms).toEqual([]);
}, 150_000);

/** Secrets in anything that the attacker was given back. */
function overheard(of: Scene): string[] {
  const heard = of.heard();
  return [...of.secrets].filter(([, value]) => heard.includes(value)).map(([what]) => `it heard ${what}`);
}

/** For `npm run attack`, which prints them as a table. */
function note(attempt: Attempt, outcome: Outcome): void {
  const file = process.env["SLIPWAY_ATTACK_TABLE"];
  if (file) appendFileSync(file, lineOf(attempt, outcome));
}
