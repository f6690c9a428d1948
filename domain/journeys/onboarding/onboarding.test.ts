import { afterAll, beforeAll, expect, test } from "vitest";
import { codingSkillLevels, companySizes, industries, workAreas } from "#contract/accounts/account-values.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;
beforeAll(async () => void (api = await createTestApi()));
afterAll(() => api[Symbol.asyncDispose]());

const survey = "/api/personalization-survey/answer";
const onboardingOf = async (token: string) => (await api.call("GET", "/api/auth/me", { token })).json().user.account.onboarding;

const answer = {
  workArea: "other",
  otherWorkArea: "Marine biology",
  codingSkills: 3,
  companyIndustry: ["saas", "other"],
  otherIndustry: "Oceanography",
  companySize: "20-99",
};

test("the answer to the survey is kept, read again and replaced", async () => {
  const { token } = await registerSomebody(api);
  expect((await api.call("GET", survey, { token })).json()).toEqual({ answer: null });
  const saved = await api.call("POST", survey, { token, body: answer });
  expect(saved.statusCode).toBe(200);
  expect(saved.json()).toMatchObject({ answer, onboarding: { next: "apps" } });
  expect((await api.call("GET", survey, { token })).json()).toEqual({ answer });
  await api.call("POST", survey, { token, body: { workArea: "finance" } });
  expect((await api.call("GET", survey, { token })).json()).toEqual({ answer: { workArea: "finance" } });
});

test("free text counts only if Other is chosen", async () => {
  const { token } = await registerSomebody(api);
  await api.call("POST", survey, { token, body: { ...answer, workArea: "HR", companyIndustry: ["saas", "saas"] } });
  expect((await api.call("GET", survey, { token })).json()).toEqual({
    answer: { workArea: "HR", codingSkills: 3, companyIndustry: ["saas"], companySize: "20-99" },
  });
});

test("the options are exactly the documented ones", () => {
  expect(workAreas).toEqual([
    "finance",
    "HR",
    "IT-Engineering",
    "legal",
    "marketing-growth",
    "ops",
    "product",
    "sales-businessDevelopment",
    "security",
    "support",
    "executive",
    "other",
    "n/a",
  ]);
  expect(industries).toEqual([
    "e-commerce",
    "automation-consulting",
    "systems-integration",
    "government",
    "legal-industry",
    "healthcare",
    "finance-industry",
    "security-industry",
    "saas",
    "other",
  ]);
  expect(companySizes).toEqual(["<20", "20-99", "100-499", "500-999", "1000+", "personalUser"]);
  expect(codingSkillLevels).toEqual([0, 1, 2, 3, 4, 5]);
});

test.each([
  ...workAreas.map((workArea) => ({ workArea })),
  ...industries.map((industry) => ({ companyIndustry: [industry] })),
  ...companySizes.map((companySize) => ({ companySize })),
  ...codingSkillLevels.map((codingSkills) => ({ codingSkills })),
  {},
])("the answer %j is accepted", async (body) => {
  const { token } = await somebody();
  expect((await api.call("POST", survey, { token, body })).statusCode).toBe(200);
});

test.each([
  ["workArea", "astrology"],
  ["workArea", 1],
  ["codingSkills", 6],
  ["codingSkills", -1],
  ["codingSkills", 2.5],
  ["codingSkills", "3"],
  ["companyIndustry", "saas"],
  ["companyIndustry", ["mining"]],
  ["companySize", "21"],
  ["otherWorkArea", "x".repeat(201)],
  ["otherIndustry", { $ne: null }],
])("%s %j is refused", async (field, value) => {
  const { token } = await somebody();
  const refused = await api.call("POST", survey, { token, body: { ...answer, [field]: value } });
  expect(refused.statusCode).toBe(422);
  expect(refused.json().errors[0].path.split(".")[0]).toBe(field);
});

test("the AI survey is stored beside the first one", async () => {
  const { token } = await registerSomebody(api);
  const body = { uses: ["agents", "research"], experience: "prototypes", goal: "  Answer mail  " };
  expect((await api.call("POST", "/api/ai-survey/answer", { token, body })).statusCode).toBe(200);
  expect((await api.call("GET", "/api/ai-survey/answer", { token })).json()).toEqual({ answer: { ...body, goal: "Answer mail" } });
  expect((await api.call("GET", survey, { token })).json()).toEqual({ answer: null });
  expect((await api.call("POST", "/api/ai-survey/answer", { token, body: { uses: ["mining"] } })).statusCode).toBe(422);
});

test("chosen apps keep their order, each once", async () => {
  const { token } = await registerSomebody(api);
  const apps = ["n8n-nodes-base.slack", "@n8n/n8n-nodes-langchain.agent", "n8n-nodes-base.slack"];
  const saved = await api.call("POST", "/api/account/selected-apps", { token, body: { apps } });
  expect(saved.statusCode).toBe(200);
  expect(saved.json()).toMatchObject({
    apps: apps.slice(0, 2),
    onboarding: { next: "survey", steps: expect.arrayContaining([{ name: "apps", state: "done" }]) },
  });
  expect((await api.call("GET", "/api/account/selected-apps", { token })).json()).toEqual({ apps: apps.slice(0, 2) });
});

test.each([
  [{}],
  [{ apps: "slack" }],
  [{ apps: ["../etc/passwd"] }],
  [{ apps: ["<b>"] }],
  [{ apps: [null] }],
  [{ apps: Array.from({ length: 501 }, (_, index) => `n.a${index}`) }],
])("the apps %j are refused", async (body) => {
  const { token } = await somebody();
  expect((await api.call("POST", "/api/account/selected-apps", { token, body })).json()).toMatchObject({
    status: 422,
    code: "validation_failed",
  });
});

test("a step can be skipped and done later, and one that is done stays done", async () => {
  const { token } = await registerSomebody(api);
  const skip = (step: string) => api.call("POST", "/api/account/onboarding/skip", { token, body: { step } });
  expect((await skip("survey")).json()).toMatchObject({ onboarding: { next: "apps" } });
  expect(await onboardingOf(token)).toMatchObject({ next: "apps", steps: expect.arrayContaining([{ name: "survey", state: "skipped" }]) });
  await api.call("POST", survey, { token, body: answer });
  expect((await skip("survey")).json().onboarding.steps[0]).toEqual({ name: "survey", state: "done" });
  expect((await onboardingOf(token)).steps[0]).toEqual({ name: "survey", state: "done" });
  await skip("apps");
  await skip("invite");
  expect((await onboardingOf(token)).next).toBe("verify");
});

test.each(["verify", "setup", "launch", "register", "", null])("the step %j can't be skipped", async (step) => {
  const { token } = await somebody();
  expect((await api.call("POST", "/api/account/onboarding/skip", { token, body: { step } })).statusCode).toBe(422);
});

test("changes from two devices at the same moment both count", async () => {
  const { token } = await registerSomebody(api);
  await Promise.all([
    api.call("POST", survey, { token, body: answer }),
    api.call("POST", "/api/account/selected-apps", { token, body: { apps: [] } }),
    api.call("POST", "/api/account/onboarding/skip", { token, body: { step: "invite" } }),
  ]);
  expect(await onboardingOf(token)).toMatchObject({ next: "verify" });
});

test("after the setup only the launch is next, whatever was skipped", async () => {
  const { token } = await registerConfirmed(api);
  expect((await onboardingOf(token)).next).toBe("survey");
  const set = await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  expect(set.json().user.account.onboarding).toMatchObject({ next: "launch" });
});

test("a template is kept from the sign-up link, and a newer link replaces it at the setup", async () => {
  const { token } = await registerConfirmed(api, { templateId: "1234" });
  const template = async () => (await api.call("GET", "/api/auth/me", { token })).json().user.account.templateId;
  expect(await template()).toBe("1234");
  expect((await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC", templateId: "../x" } })).statusCode).toBe(422);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC", templateId: "5678" } });
  expect(await template()).toBe("5678");
});

test("an opened template is forgotten, once for two tabs; another one stays", async () => {
  const [owner, other] = [await registerConfirmed(api, { templateId: "1234" }), await registerConfirmed(api, { templateId: "1234" })];
  const templateOf = async ({ token }: { token: string }) =>
    (await api.call("GET", "/api/auth/me", { token })).json().user.account.templateId;
  const opened = (id: string, token?: string) => api.call("DELETE", `/api/account/template/${id}`, token ? { token } : {});
  expect((await opened("1234")).statusCode).toBe(401);
  expect((await opened("..%2Fx", owner.token)).statusCode).toBe(422);
  expect((await opened("5678", owner.token)).statusCode).toBe(204);
  expect(await templateOf(owner)).toBe("1234");
  const answers = await Promise.all([opened("1234", owner.token), opened("1234", owner.token)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204]);
  expect([await templateOf(owner), await templateOf(other)]).toEqual([null, "1234"]);
  const { rows } = await api.database.pool.query(
    "select count(*)::int from audit_log l join accounts a on a.id = l.account_id where a.name = $1 and action = 'template.opened'",
    [owner.form.accountName],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test.each([
  ["GET", survey],
  ["POST", survey],
  ["GET", "/api/ai-survey/answer"],
  ["POST", "/api/ai-survey/answer"],
  ["GET", "/api/account/selected-apps"],
  ["POST", "/api/account/selected-apps"],
  ["POST", "/api/account/onboarding/skip"],
] as const)("%s %s needs a session", async (method, path) => {
  const body = method === "POST" ? { apps: [], step: "apps" } : undefined;
  expect((await api.call(method, path, { body })).json()).toMatchObject({ status: 401, code: "signed_out" });
  expect((await api.call(method, path, { body, token: "no-such-session" })).json()).toMatchObject({
    status: 401,
    error: "Session expired",
  });
});

test("accounts do not see each other's answers", async () => {
  const [one, other] = [await registerSomebody(api), await registerSomebody(api)];
  await api.call("POST", survey, { token: one.token, body: answer });
  await api.call("POST", "/api/account/selected-apps", { token: one.token, body: { apps: ["n8n-nodes-base.slack"] } });
  expect((await api.call("GET", survey, { token: other.token })).json()).toEqual({ answer: null });
  expect((await api.call("GET", "/api/account/selected-apps", { token: other.token })).json()).toEqual({ apps: [] });
  expect((await onboardingOf(other.token)).next).toBe("survey");
});

let shared: Promise<{ token: string }> | undefined;
/** For tests that leave no trace for others; each registration costs a password hash. */
const somebody = (): Promise<{ token: string }> => (shared ??= registerSomebody(api));
