import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { endSession, rememberUser } from "./session/session.ts";
import { useDraft } from "./use-draft.ts";

/** The browser's storage of this tab. */
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  endSession();
  rememberUser({ id: "1" } as unknown as User);
  return () => vi.unstubAllGlobals();
});

/** A drawn form's draft of chosen apps. */
function drawn(initial: readonly string[], textOf?: (names: readonly string[]) => string) {
  let draft!: ReturnType<typeof useDraft<readonly string[]>>;
  const Form = () => {
    draft = useDraft("apps.1", initial, textOf);
    return null;
  };
  renderToString(createElement(Form));
  return draft;
}

test("input is kept until it is as at first, and is found again", () => {
  const [, change] = drawn(["a"]);
  change((names) => [...names, "b"]);
  expect(drawn(["a"])[0]).toEqual(["a", "b"]);
  change((names) => names.slice(0, 1));
  expect([...stored.keys()]).toEqual([]);
});

test("the same in another order is a draft, unless the form compares without order", () => {
  drawn(["a", "b"])[1](["b", "a"]);
  expect(stored.get("slipway.draft.apps.1")).toBe('["b","a"]');
  const sorted = (names: readonly string[]) => names.toSorted().join(" ");
  const [, change] = drawn(["b", "c"], sorted);
  change(["c"]);
  expect(stored.get("slipway.draft.apps.1")).toBe('["c"]');
  change(["c", "b"]);
  expect([...stored.keys()]).toEqual([]);
});
