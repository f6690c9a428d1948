import { beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { endSession, knownUser, rememberUser } from "../session/session.ts";
import { holdInput, removeDrafts, storedDrafts, unsavedForms } from "./unsaved-input.ts";

/** Like the browser's: the entries are its own properties. */
class TabStorage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    return (this[key] as string | undefined) ?? null;
  }
  setItem(key: string, value: string): void {
    this[key] = value;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

beforeEach(() => {
  vi.stubGlobal("sessionStorage", new TabStorage());
  endSession();
  rememberUser({ id: "1" } as unknown as User);
  return () => vi.unstubAllGlobals();
});

test("unsaved is each form with input of this user, once, and not where they are in a form", () => {
  storedDrafts.write("view.survey.1", '"role"');
  sessionStorage.setItem("slipway.draft.billing-details.2", "{}");
  expect(unsavedForms()).toEqual({ stored: [], held: [] });
  storedDrafts.write("billing-details.1", "{}");
  storedDrafts.write("invite.addresses.1", "[]");
  storedDrafts.write("invite.text.1", '"b"');
  const release = holdInput("variables");
  expect(unsavedForms()).toEqual({ stored: ["billing-details", "invite"], held: ["variables"] });
  release();
  expect(unsavedForms().held).toEqual([]);
});

test("signing out removes every draft; after an ended session only its user finds theirs again", () => {
  storedDrafts.write("profile.1", "{}");
  endSession("expired");
  rememberUser({ id: "1" } as unknown as User);
  expect(storedDrafts.read("profile.1")).toBe("{}");
  endSession("expired");
  rememberUser({ id: "2" } as unknown as User);
  expect(storedDrafts.read("profile.1")).toBeNull();
  storedDrafts.write("profile.2", "{}");
  sessionStorage.setItem("slipway.reloaded-at", "1");
  endSession();
  expect([storedDrafts.read("profile.2"), sessionStorage.getItem("slipway.reloaded-at")]).toEqual([null, "1"]);
});

test("after a reload as another person, the previous person's drafts are removed with the first answer about the user", async () => {
  storedDrafts.write("profile.1", "{}");
  vi.resetModules();
  const reloaded = { ...(await import("../session/session.ts")), ...(await import("./unsaved-input.ts")) };
  let user: object = { id: "1" };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ user })));
  await reloaded.refreshUser();
  expect(storedDrafts.read("profile.1")).toBe("{}");
  vi.resetModules();
  user = { id: "2" };
  const again = { ...(await import("../session/session.ts")), ...(await import("./unsaved-input.ts")) };
  expect((await again.refreshUser())?.id).toBe("2");
  expect(storedDrafts.read("profile.1")).toBeNull();
});

test("a form that is still drawn after its user signed out writes no draft again, but does after an interruption", () => {
  endSession("expired");
  storedDrafts.write("profile.1", "{}");
  storedDrafts.write(`profile.${knownUser()?.id as undefined}`, "{}");
  expect(Object.keys(sessionStorage)).toEqual(["slipway.draft.profile.1"]);
  rememberUser({ id: "1" } as unknown as User);
  endSession();
  storedDrafts.write("profile.1", "{}");
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test("drafts can be discarded after the session has ended", () => {
  storedDrafts.write("invite.text.1", '"b"');
  endSession("expired");
  removeDrafts();
  expect(storedDrafts.read("invite.text.1")).toBeNull();
});
