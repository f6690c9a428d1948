import { afterEach, expect, test, vi } from "vitest";
import { createSessionChannel, type SessionNews } from "./session-channel.ts";

afterEach(() => vi.unstubAllGlobals());

/** A tab of a browser without channels: a storage it shares and a storage event from the others. */
function pretendStorage() {
  const target = new EventTarget();
  const values = new Map<string, string>();
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("localStorage", {
    setItem: (key: string, value: string) => void values.set(key, value),
    getItem: (key: string) => values.get(key) ?? null,
  });
  const tell = (key: string, newValue: string | null) => target.dispatchEvent(Object.assign(new Event("storage"), { key, newValue }));
  return { values, tell };
}

test("tabs receive each other's changes and ignore other messages on the channel", async () => {
  const [one, two] = [createSessionChannel(BroadcastChannel), createSessionChannel(BroadcastChannel)];
  const heard: SessionNews[] = [];
  two.hear((news) => heard.push(news));
  const stray = new BroadcastChannel("slipway.session");
  for (const message of [null, "signed-out", { kind: "signed-in" }, { kind: "other" }]) stray.postMessage(message);
  one.send({ kind: "signed-out" });
  one.send({ kind: "signed-in", userId: "u1" });
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2);
  expect(heard).toEqual([{ kind: "signed-out" }, { kind: "signed-in", userId: "u1" }]);
  stray.close();
});

test("without channels the storage carries the changes, also the same one twice", () => {
  const { values, tell } = pretendStorage();
  const channel = createSessionChannel(null);
  const heard: SessionNews[] = [];
  channel.hear((news) => heard.push(news));
  channel.send({ kind: "signed-out" });
  expect(JSON.parse(values.get("slipway.session")!)).toMatchObject({ kind: "signed-out", at: expect.any(Number) });
  for (const [key, value] of [
    ["slipway.session", '{"kind":"signed-out","at":1}'],
    ["slipway.session", null],
    ["slipway.session", "{broken"],
    ["other", '{"kind":"signed-out"}'],
  ] as const)
    tell(key, value);
  expect(heard).toEqual([{ kind: "signed-out", at: 1 }]);
});
