import { expect, test } from "vitest";
import { createSecrets } from "../secrets.ts";
import { createLineKeys } from "./line-keys.ts";
import { readAddress, writeAddress } from "./open-line.ts";

const [older, newer] = ["the older secret key of a service", "the newer secret key of a service"];

test("each server has its own key, which its mark finds again", () => {
  const keys = createLineKeys(createSecrets(newer));
  const [one, other] = [keys.named("one"), keys.named("other")];
  expect(one.key).toHaveLength(32);
  expect(one.key.equals(other.key)).toBe(false);
  expect(keys.keyOf(one.mark)).toEqual(one.key);
  expect(one.mark).not.toContain(one.key.toString("hex"));
});

test("while the service's key is replaced, servers with the older one are still recognised, but not with a third", () => {
  const before = createLineKeys(createSecrets(older)).named("one");
  expect(createLineKeys(createSecrets(newer, older)).keyOf(before.mark)).toEqual(before.key);
  expect(createLineKeys(createSecrets(newer, older)).named("one").mark).not.toBe(before.mark);
  expect(createLineKeys(createSecrets(newer)).keyOf(before.mark)).toBeUndefined();
  expect(createLineKeys(createSecrets(newer)).keyOf("one")).toBeUndefined();
});

test("an address is parsed as it was written, and an unknown mark never leads to a server without proof", () => {
  const keys = createLineKeys(createSecrets(newer));
  const { mark, key } = keys.named("0190-a_b");
  for (const host of ["10.0.0.7", "fd00::7"]) {
    expect(readAddress(writeAddress(host, 5678), keys)).toEqual({ host, port: 5678 });
    expect(readAddress(writeAddress(host, 5678, mark), keys)).toEqual({ host, port: 5678, key });
  }
  for (const [address, known] of [
    [`${mark}@10.0.0.7:5678`, undefined],
    ["one@10.0.0.7:5678", keys],
  ] as const) {
    const [first, second] = [readAddress(address, known), readAddress(address, known)];
    expect(first.key).toHaveLength(32);
    expect(first.key).not.toEqual(second.key);
  }
});
