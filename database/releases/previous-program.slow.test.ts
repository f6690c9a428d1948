/**
 * The oldest program that may run on the newest schema runs on it: while the new one takes over, and again after a rollback. On one
 * server, with the stand-in engine.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { payingForm } from "#testing/payments/sandbox-api.ts";
import { findEarlierProgram, placeProgram } from "#testing/program/earlier-program.ts";
import { prepareSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { waitFor } from "#testing/wait-for.ts";
import { quickModules } from "../../tools/process/server-flags.mjs";

const earlier = findEarlierProgram();
if ("missing" in earlier) console.warn(`The program of an earlier release is not tested: ${earlier.missing}.`);

/** A customer buys a plan in the payment sandbox. */
async function pay(slipway: Slipway, { token }: Customer): Promise<void> {
  const opened = await slipway.call("POST", "/api/v1/paddle/plan/pro-1-monthly/generatePayLink", {
    token,
    body: { currency: "USD" },
    headers: { "idempotency-key": crypto.randomUUID() },
  });
  expect(opened.status, opened.text).toBe(200);
  const { url } = opened.json<{ url: string }>();
  const body = new URLSearchParams(payingForm());
  const paid = await fetch(url, { method: "POST", body, redirect: "manual", headers: { origin: slipway.url } });
  expect([paid.status, (await paid.text()).slice(0, 300)]).toEqual([303, expect.any(String)]);
  await waitFor(
    async () => {
      const { text } = await slipway.call("GET", "/api/auth/me", { token });
      if (!text.includes('"pro-1-monthly"')) throw new Error(`no plan yet: ${text.slice(0, 500)}`);
    },
    { timeout: 60_000, interval: 250 },
  );
}

/** A customer signs in, and has a backup made of a workspace that answers. */
async function useIt(slipway: Slipway, customer: Customer): Promise<void> {
  const { accountName: login, password } = customer;
  const signedIn = await slipway.call("POST", "/api/auth/login", { body: { login, password } });
  expect(signedIn.status).toBe(200);
  customer.token = signedIn.json<{ token: string }>().token;
  await slipway.until(customer, ({ status }) => status === instanceStatus.online);
  const { token } = customer;
  const asked = await slipway.call("POST", "/api/export/backups", { token });
  expect(asked.status, asked.text).toBe(202);
  const { id } = asked.json<{ id: string }>();
  await waitFor(
    async () => {
      const { backups } = (await slipway.call("GET", "/api/export", { token })).json<{ backups: { id: string; state: string }[] }>();
      const state = backups.find((each) => each.id === id)?.state;
      if (state !== "successful") throw new Error(`the backup is ${state}`);
    },
    { timeout: 120_000, interval: 250 },
  );
}

test.skipIf("missing" in earlier)(
  "the oldest program that may run serves on the newest schema, and starts on it again after a rollback",
  { timeout: 900_000 },
  async () => {
    const { folder: old, remove } = placeProgram((earlier as { commit: string }).commit);
    onTestFinished(remove);
    let folder: string | undefined = old;
    await using slipway = await prepareSlipway({ makesDatabase: true, programDir: () => folder ?? process.cwd() });
    await slipway.start();
    const first = await slipway.launch();
    await useIt(slipway, first);

    // The new release migrates while the old one serves.
    const ops = [quickModules, join(import.meta.dirname, "../../apps/ops/main.ts"), "migrate"];
    const env = { PATH: process.env["PATH"], DATA_DIR: slipway.dataDir };
    expect((await promisify(execFile)(process.execPath, ops, { env })).stdout).toMatch(/^[1-9]\d* migrations applied\.\n$/);
    const second = await slipway.launch();
    await useIt(slipway, second);
    await pay(slipway, second);
    await useIt(slipway, first);

    // The new one takes over; a rollback brings the old one back.
    await slipway.signal("SIGTERM");
    folder = undefined;
    await slipway.start();
    for (const customer of [first, second]) await useIt(slipway, customer);
    await slipway.signal("SIGTERM");
    // Programs from before there was a record of what may run refuse every newer schema.
    if (!existsSync(join(old, "database/oldest-program.ts"))) return;
    folder = old;
    await slipway.start();
    expect(slipway.output()).toContain("a newer release has migrated the database, and allows this one to run on it");
    await pay(slipway, first);
    await useIt(slipway, await slipway.launch());
    await useIt(slipway, first);
  },
);
