import { createServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readObservations } from "#domain/signals/observation-store.ts";
import { hourMs, systemClock } from "#platform/clock.ts";
import { createLog } from "#platform/log.ts";
import { createRounds } from "#platform/loops/rounds.ts";
import { selfSigned } from "#testing/network/self-signed.ts";
import { findFreePort } from "#testing/program/start-slipway.ts";
import { createTestDatabase, type TestDatabase } from "#testing/postgres.ts";
import { checkCertificate, checkStorage, look, type ObservingOptions } from "./observe.ts";
import { readCertificate } from "./read-certificate.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());
beforeEach(async () => void (await database.pool.query("truncate service_state")));

const observing = (more: Partial<ObservingOptions> = {}): ObservingOptions => ({
  db: database.db,
  clock: systemClock,
  log: createLog("silent"),
  rounds: createRounds(),
  host: "main",
  publicUrl: "http://localhost:3000",
  storage: { check: () => Promise.resolve() },
  readResources: () => Promise.resolve({ disk: { freeMb: 500, floorMb: 100 } }),
  ...more,
});

test("a storage that fails, hangs and works again is noted with its reason and since when", async () => {
  const noted = async () => (await readObservations(database.db)).checks.storage!;
  await checkStorage(observing({ storage: { check: () => Promise.reject(new Error("no such bucket")) } }));
  const first = await noted();
  expect(first).toMatchObject({ okAt: null, reason: "no such bucket" });
  await checkStorage(observing({ storage: { check: () => new Promise(() => undefined) } }), 20);
  expect(await noted()).toEqual({ ...first, reason: "the backup storage took longer than 20 ms" });
  await checkStorage(observing());
  expect(await noted()).toMatchObject({ okAt: expect.any(String), failingSince: null, reason: null });
});

test("the end of a certificate is known even if browsers refuse it, and an address that does not answer keeps the last", async () => {
  const server = createServer(selfSigned("localhost")).listen(0, "localhost");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const publicUrl = `https://localhost:${(server.address() as AddressInfo).port}`;
  await checkCertificate(observing({ publicUrl }));
  const seen = await readObservations(database.db);
  const hoursLeft = (new Date(seen.certificateUntil!).getTime() - Date.now()) / hourMs;
  expect(hoursLeft).toBeGreaterThan(20);
  expect(hoursLeft).toBeLessThan(25);
  expect(seen.checks.certificate!.reason).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  await checkCertificate(observing({ publicUrl: `https://localhost:${await findFreePort()}` }));
  const later = await readObservations(database.db);
  expect(later.certificateUntil).toBe(seen.certificateUntil);
  expect(later.checks.certificate!.failingSince).toBe(seen.checks.certificate!.failingSince);
  expect(await readCertificate("http://localhost:3000")).toBeNull();
});

test("a look notes the host's room and its overdue loops", async () => {
  const rounds = createRounds(() => 0, -1);
  rounds.follow("mails", 0);
  await look(observing({ rounds }));
  const { hosts } = await readObservations(database.db);
  expect(Object.keys(hosts["main"]!.overdue)).toEqual(["mails"]);
  expect(hosts["main"]!.resources.disk).toMatchObject({ freeMb: 500, floorMb: 100, samples: [{ freeMb: 500 }] });
});
