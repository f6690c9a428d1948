import { beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { ApiError } from "../api/api-error.ts";
import { notices, notify } from "./notices.ts";
import { endSession, rememberUser } from "../session/session.ts";
import { notifyWithUndo } from "./undo-notice.ts";

beforeEach(() => notices.set([]));

const shown = () => notices.get().map(({ tone, text }) => [tone, text]);
const press = () => notices.get()[0]!.action!.run();

test("an action can be undone, and the message says so", async () => {
  const run = vi.fn<() => Promise<void>>(async () => {});
  notifyWithUndo("Settings saved.", { run });
  expect(notices.get()[0]?.action?.label).toBe("Undo");
  press();
  await vi.waitFor(() => expect(shown()).toContainEqual(["success", "Undone."]), 20_000);
  expect(run).toHaveBeenCalledTimes(1);
});

test("undoing something that does more says so in its own words", async () => {
  notifyWithUndo("Withdrawn.", { label: "Invite again", run: async () => {}, done: "1 person is invited." });
  expect(notices.get()[0]?.action?.label).toBe("Invite again");
  press();
  await vi.waitFor(() => expect(shown()).toContainEqual(["success", "1 person is invited."]), 20_000);
});

test("if it cannot be undone any more, the reason is shown", async () => {
  notifyWithUndo("Settings saved.", { run: () => Promise.reject(new ApiError("settings_changed", 409)) });
  press();
  await vi.waitFor(() => expect(shown()[1]).toEqual(["danger", expect.stringMatching(/^This could not be undone\. .+/)]), 20_000);
});

test("a repeated message is about the latest action; without a button it is shown once", () => {
  const [first, second] = [vi.fn<() => Promise<void>>(async () => {}), vi.fn<() => Promise<void>>(async () => {})];
  notifyWithUndo("Settings saved.", { run: first });
  notifyWithUndo("Settings saved.", { run: second });
  expect(notices.get()).toHaveLength(1);
  press();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1]);
  notify("info", "Copied.");
  notify("info", "Copied.");
  expect(notices.get()).toHaveLength(2);
});

test("messages go with the session: they are not for the next user who signs in here, nor are their buttons", () => {
  rememberUser({ id: "1" } as unknown as User);
  notifyWithUndo("Settings saved.", { run: async () => {} });
  notify("warning", "Ada could not be invited.");
  endSession();
  notify("success", "You signed out.");
  expect(shown()).toEqual([["success", "You signed out."]]);
});

test.each(["answered", "refused"] as const)("an undo that is %s after its person signed out says nothing to the next one", async (how) => {
  rememberUser({ id: "1" } as unknown as User);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  notifyWithUndo("Settings saved.", { run: () => promise });
  press();
  endSession();
  rememberUser({ id: "2" } as unknown as User);
  notices.set([]);
  if (how === "answered") resolve();
  else reject(new ApiError("signed_out", 401));
  // The undo continues before this does.
  await promise.catch(() => {});
  await new Promise((resume) => setImmediate(resume));
  expect(shown()).toEqual([]);
});
