/** Walks every call of the contract with every kind of session, and compares the answers with contract/session-rights.ts. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionOpenings } from "#contract/accounts/session.ts";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { rightsOf, sessionRights, type RouteName } from "#contract/session-rights.ts";
import { openSession, type SessionOpening } from "#domain/accounts/sessions/session-store.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { minuteMs } from "#platform/clock.ts";
import { newId } from "#platform/ids.ts";
import { createTestApi, registerConfirmed, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
let userId: string;
beforeAll(async () => {
  api = await createTestApi({ timeTravel: null });
  const { token } = await registerConfirmed(api);
  userId = (await api.call("GET", "/api/auth/me", { token })).json().user.id as string;
});
afterAll(() => api?.[Symbol.asyncDispose]());

const names = Object.keys(routes) as RouteName[];
/** A session whose user typed no password in the last ten minutes. */
async function sessionOf(openedBy: SessionOpening): Promise<string> {
  const token = await openSession(api.database.db, { userId, openedBy, device: null, address: "192.0.2.1" }, api.clock.now());
  await api.database.pool.query("update sessions set typed_at = null where token_hash = $1", [hashToken(token)]);
  return token;
}

/** Reaches the call and nothing behind it: there is no such row, and no such body. */
async function reach({ method: own, path, body, success }: RouteContract, token: string): Promise<string> {
  // A stream that is not refused has no end; its head has.
  const method = success.stream ? "HEAD" : own;
  const answer = await api.call(method, `/api${path.replace(/:\w+/g, newId())}`, {
    token,
    ...(body ? { body: { nothing: "that fits" } } : {}),
  });
  // A HEAD has no body: 403 has one cause.
  if (method === "HEAD") return answer.statusCode === 403 ? "password_needed" : "reached";
  return answer.statusCode === 403 && answer.json().code === "password_needed" ? "password_needed" : "reached";
}

test.each(names.filter((name) => sessionRights[name] !== "anyone"))("%s answers each kind of session as the table says", async (name) => {
  const rights = rightsOf(routes[name]);
  const answers = await Promise.all(
    sessionOpenings.map(async (openedBy) => [openedBy, await reach(routes[name], await sessionOf(openedBy))]),
  );
  expect(answers).toEqual(
    sessionOpenings.map((openedBy) => [openedBy, rights !== "anyone" && rights[openedBy] === "yes" ? "reached" : "password_needed"]),
  );
});

test("the calls that need no session, and only those, are anyone's", () => {
  for (const name of names) expect([name, sessionRights[name] === "anyone"]).toEqual([name, routes[name].auth === "none"]);
});

test("the page of the table is the table", () => {
  const lines = names.map((name) => {
    const rights = sessionRights[name];
    const cells = sessionOpenings.map((openedBy) => (rights === "anyone" ? "anyone" : rights[openedBy]));
    return `| \`${routes[name].method} ${routes[name].path}\` | ${cells.join(" | ")} |`;
  });
  const page = readFileSync(new URL("../../docs/security/sessions.md", import.meta.url), "utf8");
  expect(page.split("\n").filter((line) => line.startsWith("| `"))).toEqual(lines);
});

test("a call that the table does not name is not mounted", () => {
  expect(() => rightsOf({ ...routes.me, path: "/auth/me/too" })).toThrow("GET /auth/me/too has no line");
});

test("a recently typed password, and nothing else, lets a session end others; each may end itself", async () => {
  const token = await sessionOf("password");
  const other = await sessionOf("password");
  const idOf = async (of: string) =>
    (await api.database.pool.query("select id from sessions where token_hash = $1", [hashToken(of)])).rows[0].id as string;
  const end = (id: string, by: string) => api.call("DELETE", `/api/auth/sessions/${id}`, { token: by });
  const typed = (ageMs: number) =>
    api.database.pool.query("update sessions set typed_at = $1 where token_hash = $2", [
      new Date(api.clock.now().getTime() - ageMs),
      hashToken(token),
    ]);
  for (const ageMs of [10 * minuteMs, -10 * minuteMs]) {
    await typed(ageMs);
    expect((await end(await idOf(other), token)).json()).toMatchObject({ code: "password_needed" });
  }
  await typed(9 * minuteMs);
  expect((await end(await idOf(other), token)).statusCode).toBe(204);
  for (const openedBy of sessionOpenings) {
    const own = await sessionOf(openedBy);
    expect((await end(await idOf(own), own)).statusCode).toBe(204);
  }
});
