/** Holds the stand-in's sign-up against the API's, over a real database: what each step answers, refuses and keeps. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";
import { altcha } from "#domain/challenges/altcha-challenge.ts";
import { systemClock } from "#platform/clock.ts";
import { createSecrets } from "#platform/secrets.ts";
import { buildRegistration } from "../accounts/build-registration.ts";
import { solveChallenge } from "../accounts/solve-challenge.ts";
import { createTestApi, type TestApi } from "../test-api.ts";
import { registerAnswers } from "./register-answers.ts";
import { servePanel, type PanelServer } from "./serve-panel.ts";

let api: TestApi;
let panel: PanelServer;

beforeAll(async () => {
  const secrets = createSecrets("another key for tests, long enough to be one");
  api = await createTestApi({ clock: systemClock, challenge: altcha({ secrets, clock: systemClock, maxNumber: 10 }) });
  panel = await servePanel();
  panel.visitor.answers = registerAnswers(panel);
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

interface Asked {
  token?: string;
  body?: unknown;
}
/** What is compared: ids, tokens and times differ. */
interface Told {
  code?: string;
  errors?: unknown;
  available?: boolean;
  answer?: unknown;
  apps?: string[];
  onboarding?: unknown;
  user?: { account: unknown };
  token?: string;
}
type Ask = (method: "GET" | "POST", path: string, asked?: Asked) => Promise<{ status: number; json: Told }>;

const askApi: Ask = async (method, path, asked) => {
  const answer = await api.call(method, path, asked);
  return { status: answer.statusCode, json: answer.json() };
};
const askPanel: Ask = async (method, url, { token, body } = {}) => {
  const { origin, host } = new URL(panel.url);
  const answer = await panel.app.inject({
    method,
    url,
    ...(body === undefined ? {} : { payload: body as object }),
    headers: { origin, host, ...(token ? { cookie: `token=${token}` } : {}) },
  });
  return { status: answer.statusCode, json: answer.json() };
};

/** Follows the same steps with either, and returns what was answered. */
async function signUp(ask: Ask): Promise<unknown[]> {
  const answered: unknown[] = [];
  const keep = async (asked: ReturnType<Ask>) => {
    const { status, json } = await asked;
    const { code, errors, available, answer, apps, onboarding, user } = json;
    answered.push({ status, code, errors, available, answer, apps, onboarding, account: user?.account });
    return json;
  };
  const solved = async () => solveChallenge((await ask("GET", "/api/auth/challenge")).json as ChallengeOffer);
  const form = buildRegistration({ accountName: "grace", email: "grace@example.com", emailConfirmation: "grace@example.com" });
  const register = async (changes: object) =>
    keep(ask("POST", "/api/auth/register", { body: { ...form, challenge: await solved(), ...changes } }));
  const isFree = (name: string) => keep(ask("GET", `/api/auth/account-name/${name}`));

  await isFree("grace");
  await isFree("admin");
  await register({ accountName: "admin" });
  await register({ challenge: "e30=" });
  await register({ password: "password123" });
  await register({ password: "grace-2024" });
  const challenge = await solved();
  const { token } = await register({ challenge, templateId: "1954" });
  await register({ challenge });
  await isFree("grace");
  const other = { email: "other@example.com", emailConfirmation: "other@example.com" };
  await register(other);
  await register({ accountName: "other" });

  const get = (path: string) => keep(ask("GET", path, { token }));
  const post = (path: string, body: object) => keep(ask("POST", path, { token, body }));
  const surveys = ["/api/personalization-survey/answer", "/api/ai-survey/answer"] as const;
  for (const path of [...surveys, "/api/account/selected-apps"]) await get(path);
  await post("/api/account/onboarding/skip", { step: "apps" });
  await post(surveys[0], { workArea: "finance", otherWorkArea: "Tides", companyIndustry: ["saas", "saas"] });
  await post(surveys[1], { uses: [], experience: "new", goal: " " });
  await post("/api/account/onboarding/skip", { step: "survey" });
  await post("/api/account/selected-apps", { apps: ["n8n-nodes-base.slack", "n8n-nodes-base.slack"] });
  await post("/api/account/onboarding/skip", { step: "invite" });
  for (const path of [...surveys, "/api/account/selected-apps", "/api/auth/me"]) await get(path);
  return answered;
}

test("each step of the sign-up answers as the API does, and keeps what was sent", async () => {
  const real = await signUp(askApi);
  expect(real).toHaveLength(24);
  expect(await signUp(askPanel)).toEqual(real);
});
