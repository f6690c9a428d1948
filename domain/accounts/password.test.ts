import { cpus } from "node:os";
import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

const refused = expect.objectContaining({ code: "unavailable", details: expect.objectContaining({ retryAfterSeconds: 2 }) });

// First in this file: the hash that is compared for unknown accounts has not been made yet.
test("a storm is bounded: callers beyond the queue are asked to retry, the others are answered, and later everything works again", async () => {
  const storm = await Promise.allSettled(
    Array.from({ length: 300 }, () => hashPassword("a password")).concat(
      Array.from({ length: 20 }, () => verifyPassword(null, "a password") as Promise<never>),
    ),
  );
  const done = storm.filter(({ status }) => status === "fulfilled").length;
  expect(done).toBe(100 + Math.max(1, cpus().length - 1));
  for (const each of storm) if (each.status === "rejected") expect(each.reason).toEqual(refused);
  // The hash that is compared for unknown accounts could not be made during the storm; that must not last.
  expect(await verifyPassword(null, "nobody's password")).toBe(false);
  const [hash] = storm.flatMap((each) => (each.status === "fulfilled" ? [each.value as string] : []));
  expect(await verifyPassword(hash!, "a password")).toBe(true);
  expect(await verifyPassword(hash!, "another")).toBe(false);
});

test("the event loop keeps running while passwords are hashed", async () => {
  let pending = 50;
  const storm = Promise.all(Array.from({ length: 50 }, () => hashPassword("a password").finally(() => (pending -= 1))));
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(pending).toBeGreaterThan(0);
  await storm;
});

test("a password is the same however its letters are composed; one set before is accepted as it was typed", async () => {
  const [composed, decomposed] = ["Café-über-Straße-42", "Cafe\u0301-u\u0308ber-Straße-42"];
  expect(composed).not.toBe(decomposed);
  for (const [set, typed] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const)
    expect(await verifyPassword(await hashPassword(set), typed)).toBe(true);
  expect(await verifyPassword(await hash(decomposed), decomposed)).toBe(true);
  expect(await verifyPassword(await hashPassword(composed), "Cafe-uber-Strasse-42")).toBe(false);
});
