/** What is known about the signed-in user when answers come late. */
import { beforeEach, expect, test, vi } from "vitest";
import type { User } from "#contract/accounts/account.ts";
import { callApi, whenSignedOut } from "../api/api-client.ts";
import { asker } from "../api/asker.ts";
import { endSession, knownUser, onSessionEnd, onSessionStart, refreshUser, rememberUser, updateUser } from "./session.ts";

const ada = { id: "1", username: "ada" } as unknown as User;
const bob = { id: "2", username: "bob" } as unknown as User;
let answers: { headers: Record<string, string>; answer(status: number, body: object): void }[];

beforeEach(() => {
  endSession();
  answers = [];
  vi.stubGlobal(
    "fetch",
    (_address: string, { headers }: { headers: Record<string, string> }) =>
      new Promise((resolve) =>
        answers.push({
          headers,
          answer: (status, body) =>
            resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })),
        }),
      ),
  );
});
/** The nth request that was made. */
const request = (index: number) =>
  vi.waitFor(() => {
    if (!answers[index]) throw new Error("not asked yet");
    return answers[index];
  }, 20_000);

test("signing out is not undone by an answer that arrives later", async () => {
  rememberUser(ada);
  const asked = refreshUser();
  endSession();
  (await request(0)).answer(200, { user: ada });
  expect(await asked).toBeNull();
  expect(knownUser()).toBeNull();
});

test("signing in is not undone by a refusal of the previous session, and the user is requested again", async () => {
  let ended = 0;
  whenSignedOut(() => (ended += 1));
  const asked = refreshUser();
  const before = await request(0);
  rememberUser(bob);
  const again = refreshUser();
  before.answer(401, { code: "session_expired" });
  expect(await asked).toEqual(bob);
  (await request(1)).answer(200, { user: bob });
  expect(await again).toEqual(bob);
  expect([knownUser(), ended]).toEqual([bob, 0]);
});

test("a change that ends after its user signed out stores nothing", () => {
  rememberUser(ada);
  endSession();
  updateUser(ada);
  expect(knownUser()).toBeNull();
  rememberUser(bob);
  updateUser(ada);
  expect(knownUser()).toEqual(bob);
});

test("each call names the page's user; another user starts a new session and ends the previous one", async () => {
  const news: string[] = [];
  onSessionStart(() => news.push(`in: ${knownUser()?.username}`));
  onSessionEnd(() => news.push("out"));
  rememberUser(ada);
  void callApi("getInstance").catch(() => undefined);
  expect((await request(0)).headers["x-slipway-person"]).toBe("1");
  rememberUser({ ...ada });
  rememberUser(bob);
  expect(news).toEqual(["in: ada", "out", "in: bob"]);
  expect(asker.person()).toBe("2");
  endSession();
  void callApi("frontEndConfig").catch(() => undefined);
  expect((await request(1)).headers).not.toHaveProperty("x-slipway-person");
});

test("the mark of a session survives the start of another user's session, and is removed when the service reports that no one is signed in", async () => {
  const page = { cookie: "slipway-signed-in=1" };
  vi.stubGlobal("location", { protocol: "http:" });
  vi.stubGlobal("document", page);
  rememberUser(ada);
  rememberUser(bob);
  endSession("expired");
  expect(page.cookie).toBe("slipway-signed-in=1");
  const asked = refreshUser();
  (await request(0)).answer(401, { code: "signed_out" });
  expect(await asked).toBeNull();
  expect(page.cookie).toBe("slipway-signed-in=1; Max-Age=0; Path=/; SameSite=Lax");
  vi.unstubAllGlobals();
});

test("with the API on another host, the page itself marks that there is a session, and calls carry that host's cookie and the chosen language", async () => {
  vi.resetModules();
  const bases = [["", "https://api.example.com/v2"]];
  const page = { cookie: "", querySelector: () => ({ content: JSON.stringify({ bases, isElsewhere: true }) }) };
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", { protocol: "https:" });
  const asked: [string, RequestInit][] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    asked.push([address, init]);
    return Response.json({ user: ada });
  });
  const opened = await import("./session.ts");
  (await import("../../words/spoken.ts")).spokenLanguage.set("de");
  await opened.refreshUser();
  const mark = "slipway-signed-in=1; Max-Age=2592000; Path=/; SameSite=Lax; Secure";
  expect(page.cookie).toBe(mark);
  expect(asked).toEqual([
    [
      "https://api.example.com/v2/auth/me",
      expect.objectContaining({ credentials: "include", headers: { accept: "application/json", "accept-language": "de" } }),
    ],
  ]);
  page.cookie = "";
  opened.rememberUser(bob);
  expect(page.cookie).toBe(mark);
  opened.removeSessionMark();
  expect(page.cookie).toBe(mark.replace("2592000", "0"));
  vi.unstubAllGlobals();
});

test("a page does not request the user again if its guard has just done so, but does in a later navigation", async () => {
  vi.resetModules();
  const opened = await import("./session.ts");
  const [first, later] = [new Request("http://localhost/a"), new Request("http://localhost/b")];
  const asked = opened.currentUser(first);
  (await request(0)).answer(200, { user: ada });
  expect([await asked, await opened.freshUser(first)]).toEqual([ada, ada]);
  expect(await opened.currentUser(later)).toEqual(ada);
  expect(answers).toHaveLength(1);
  const again = opened.freshUser(later);
  (await request(1)).answer(200, { user: { ...ada, username: "ada-king" } });
  expect(await again).toMatchObject({ username: "ada-king" });
});
