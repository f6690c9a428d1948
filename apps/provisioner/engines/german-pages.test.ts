/** The pages of workspaces themselves, as a German reader gets them; every other reader gets English. */
import { expect, test } from "vitest";
import type { HookContext, Internals } from "./n8n/workspace-side/internals.mts";
import { createLoginHandler } from "./n8n/workspace-side/people/login-route.mts";
import { createSignInPage } from "./n8n/workspace-side/people/sign-in-page.mts";
import { signInWords as n8nWords } from "./n8n/workspace-side/people/sign-in-words.mts";
import { createRoutes, type RouteOptions } from "./node-red/workspace-side/routes.mts";
import { signInWords as nodeRedWords } from "./node-red/workspace-side/sign-in-words.mts";
import type { Request, Response } from "./workspace-side/handler.mts";
import { sendRefusedCall } from "./workspace-side/refused-call.mts";
import type { TokenRefusal, TokenVerdict } from "./workspace-side/token-check.mts";

const panelUrl = "https://panel.test";
const german = { accept: "text/html", "accept-language": "de-AT,de;q=0.9,en;q=0.8" };
const refusals: readonly TokenRefusal[] = ["invalid", "expired", "used", "other_workspace"];
const refused = (refusal: TokenRefusal): TokenVerdict => ({ refusal });
const accepted = { claims: {} } as TokenVerdict;

/** What the caller gets. */
async function answerOf(answer: (response: Response) => unknown): Promise<{ status: number; body: string }> {
  const said = { status: 200, body: "" };
  const response = {
    status: (code: number) => ((said.status = code), response),
    set: () => response,
    type: () => response,
    send: (body: string) => ((said.body = body), response),
    json: (body: unknown) => ((said.body = JSON.stringify(body)), response),
  } as unknown as Response;
  await answer(response);
  return said;
}
const asks = (path: string, headers: Request["headers"], query = {}): Request => ({ method: "GET", path, url: path, headers, query });
const unpassed = () => expect.unreachable("passed to the tool");

/** Of workspaces without an owner yet. */
const openN8n = (verdict: TokenVerdict, headers: Request["headers"], query = {}) =>
  answerOf((response) =>
    createLoginHandler({
      context: { dbCollections: { User: { findOne: async () => null } } } as unknown as HookContext,
      internals: {} as Internals,
      panelUrl,
      accountName: () => "acme",
      startedAtMs: 0,
      check: () => verdict,
    })(asks("/_slipway/login", headers, query) as never, response, unpassed),
  );
const openNodeRed = (verdict: TokenVerdict, headers: Request["headers"], query = {}, path = "/_slipway/login") =>
  answerOf((response) =>
    createRoutes({ panelUrl, check: () => verdict, sessions: { hasOwner: () => false } } as unknown as RouteOptions)(
      asks(path, headers, query),
      response,
      unpassed,
    ),
  );

const signInPage = (headers: Request["headers"]) =>
  answerOf((response) => createSignInPage({ panelUrl, accountName: () => "acme" })(asks("/signin", headers) as never, response, unpassed));
const callRefused = (headers: Request["headers"] | undefined, nextPeriod?: string) =>
  answerOf((response) => sendRefusedCall(headers, response, nextPeriod, new Date("2026-11-22")));

type Answer = Awaited<ReturnType<typeof answerOf>>;
function expectPage({ status, body }: Answer, wanted: number, language: "en" | "de", [heading, sentence]: readonly [string, string]): void {
  expect(status).toBe(wanted);
  expect(body).toContain(`<html lang="${language}">`);
  expect(body).toContain(`<h1>${heading}</h1><p>${sentence}</p>`);
}
const back = { en: ">Back to the panel<", de: ">Zurück zum Panel<" };

test.each(["en", "de"] as const)("a sign-in link that does not work says so in the reader's language: %s", async (language) => {
  const headers = language === "de" ? german : { accept: "text/html" };
  for (const [open, words] of [
    [openN8n, n8nWords[language]],
    [openNodeRed, nodeRedWords[language]],
  ] as const) {
    for (const refusal of refusals) {
      const page = await open(refused(refusal), headers);
      expectPage(page, 401, language, words.refusals[refusal]);
      expect(page.body).toContain(back[language]);
    }
    expectPage(await open(accepted, headers), 503, language, words.settingUp);
  }
});

test("a link that is older than the workspace's start continues in German", async () => {
  const token = `${Buffer.from(JSON.stringify({ issuedAtMs: -1 })).toString("base64url")}.signed`;
  const page = await openN8n(refused("expired"), german, { token });
  expectPage(page, 401, "de", [n8nWords.de.refusals.expired[0], n8nWords.de.startedSince]);
  expect(page.body).toContain(`>${n8nWords.de.continue}<`);
});

test("n8n's sign-in page and the dialog of Node-RED's editor are in the reader's language", async () => {
  const page = await signInPage(german);
  expectPage(page, 200, "de", ["Bei acme anmelden", n8nWords.de.whoSignsIn]);
  for (const link of ["continue", "withPassword", "forgotPassword"] as const) {
    expect(page.body).toContain(`>${n8nWords.de[link]}<`);
    expect(page.body).not.toContain(n8nWords.en[link]);
  }
  expectPage(await signInPage({}), 200, "en", ["Sign in to acme", n8nWords.en.whoSignsIn]);
  const dialog = async (headers: Request["headers"]) => (await openNodeRed(accepted, headers, {}, "/auth/login")).body;
  expect(await dialog(german)).toContain('"label":"Zum Panel"');
  expect(await dialog({})).toContain('"label":"Go to the panel"');
});

test("a visitor whose call is refused over the plan reads it in their language, with the day; programs get English", async () => {
  expectPage(await callRefused(german, "2026-12-01T00:00:00Z"), 429, "de", [
    "Dieser Workspace hat alle seine Ausführungen verbraucht",
    "Es wurde nichts ausgeführt. Am 1. Dezember 2026 nimmt er wieder Aufrufe an, oder sobald sein Inhaber einen größeren Tarif wählt.",
  ]);
  expect((await callRefused(german)).body).toContain("Er nimmt wieder Aufrufe an, sobald sein Inhaber einen größeren Tarif wählt.");
  const english = "It accepts calls again on 1 December 2026, or as soon as its owner chooses a larger plan.";
  for (const headers of [{ accept: "text/html" }, { ...german, accept: "text/plain" }, { ...german, accept: "*/*" }, undefined])
    expect((await callRefused(headers, "2026-12-01T00:00:00Z")).body).toContain(english);
});
