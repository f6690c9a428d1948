import type { ReactNode } from "react";
import type { RootOptions } from "react-dom/client";
import { beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { endSession, rememberUser } from "../../lib/session/session.ts";
import { askOnTop } from "./ask-on-top.ts";

/** The questions being asked, each with what ends it. */
let open: { options: RootOptions | undefined }[] = [];

vi.mock("react-dom/client", () => ({
  createRoot(_place: unknown, options?: RootOptions) {
    const one = { options };
    return { render: (_drawn: ReactNode) => void open.push(one), unmount: () => (open = open.filter((other) => other !== one)) };
  },
}));

beforeEach(() => {
  open = [];
  vi.stubGlobal("document", { createElement: () => ({ addEventListener() {}, remove() {} }), body: { append() {} } });
  vi.stubGlobal("reportError", () => {});
  rememberUser({ id: "1" } as unknown as User);
  return () => vi.unstubAllGlobals();
});

test("a question is answered once, and then gone", async () => {
  let say!: (isYes: boolean) => void;
  const asked = askOnTop((answer) => void (say = answer));
  expect(open).toHaveLength(1);
  say(true);
  expect(await asked).toBe(true);
  expect(open).toEqual([]);
});

test.each(["signed-out", "expired"] as const)("a question ends with no when the session ends: %s", async (how) => {
  const asked = askOnTop(() => null);
  endSession(how);
  expect(await asked).toBe(false);
  expect(open).toEqual([]);
  expect(await askOnTop(() => null)).toBe(false);
});

test("a question that cannot be drawn rejects, and is gone", async () => {
  const asked = askOnTop(() => null);
  const fault = new Error("Failed to fetch dynamically imported module");
  open[0]?.options?.onUncaughtError?.(fault, {});
  await expect(asked).rejects.toBe(fault);
  expect(open).toEqual([]);
});
