/**
 * Every call that changes something leaves a row in the audit log: who, what, when and from where. The list of calls comes from the
 * contract: a new call that changes something has to be added here, with its row or the reason why it needs none.
 */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import { sessions, workspaces } from "#database/tables.ts";
import { hashToken } from "#domain/accounts/token.ts";
import { dayMs } from "#platform/clock.ts";
import { buildRegistration } from "#testing/accounts/build-registration.ts";
import { backupOf, exportOf, storeFile, updatedWorkspace } from "#testing/database/stored-rows.ts";
import { registerConfirmed, registerSomebody } from "#testing/test-api.ts";
import {
  createTestShop,
  germanDetails,
  payAt,
  previewChange,
  startSubscriber,
  type Customer,
  type TestShop,
} from "#testing/payments/test-shop.ts";

type RouteName = keyof typeof routes;
type Changing =
  | { [Name in RouteName]: (typeof routes)[Name]["method"] extends "GET" | "HEAD" ? never : Name }[RouteName]
  | { [Name in RouteName]: (typeof routes)[Name] extends { writes: "change" } ? Name : never }[RouteName];

/** Calls that leave no row, and why. */
const exempt = {
  graphql: "a question: GraphQL asks by POST",
  getCodeHolder: "a question: whose account a code would open",
  previewChange: "a question: says what a change would cost",
  previewResubscribe: "a question: says what resubscribing would cost",
  previewCustomChange: "a question: says what a change would cost",
  moveClock: "a tester's tool, not mounted in production; it belongs to no account",
  changeSandbox: "a tester's tool, not mounted in production; it belongs to no account",
} as const satisfies Partial<Record<Changing, string>>;

/** A prepared call, and the account that it changes. */
interface Ready {
  accountName: unknown;
  ask?: Customer["call"];
  token?: string;
  params?: Record<string, string>;
  body?: unknown;
}

interface Scenario {
  action: string;
  /** No session, and nothing that identifies the caller. */
  byNobody?: true;
  prepare(): Promise<Ready>;
}

let shop: TestShop;
beforeAll(async () => void (shop = await createTestShop()));
afterAll(() => shop?.[Symbol.asyncDispose]());

const password = "correct horse battery";

/** A user with a pending change of address, requested long enough ago for its mail to be sent again. */
async function changing() {
  const person = await newcomer();
  await shop.api.call("POST", "/api/auth/change-email", {
    token: person.token,
    body: { email: `next-${person.accountName}@example.com`, password },
  });
  shop.api.clock.advance(dayMs / 24 / 2);
  return person;
}

async function newcomer() {
  const { token, form } = await registerConfirmed(shop.api);
  // So that the next mail is the newest.
  shop.api.clock.advance(1_000);
  return { token, form, accountName: String(form["accountName"]) };
}

const signInAgain = ({ accountName }: { accountName: string }) =>
  shop.api.call("POST", "/api/auth/login", { body: { login: accountName, password } });

/** An owner with an online workspace. */
async function owner() {
  const person = await newcomer();
  await shop.api.call("POST", "/api/account/setup", { token: person.token, body: { timezone: "Etc/UTC" } });
  const { rows } = await shop.api.database.pool.query<{ id: string }>("select id from accounts where name = $1", [person.accountName]);
  const accountId = rows[0]!.id;
  const [workspace] = await shop.api.database.db
    .update(workspaces)
    .set({ observedState: "online", observedGeneration: 1, observedVersion: "2.40.7", ownerSetUpAt: new Date(), reconcileAt: null })
    .where(eq(workspaces.accountId, accountId))
    .returning();
  return { ...person, accountId, workspace: workspace! };
}

const subscriber = async (...how: [planId?: string, card?: "renewal-soft"]) => {
  const customer = await startSubscriber(shop, ...how);
  return { customer, accountName: customer.form["accountName"], ask: customer.call };
};

/** The token of the link in their newest mail. */
const linkOf = async (email: unknown): Promise<string> => [...new URL(await shop.api.newestLink(email)).searchParams.values()][0]!;

/** An owner with a plan change scheduled for the end of the period. */
async function withPlannedChange() {
  const { customer, ...rest } = await subscriber("pro-1-monthly");
  const { previewId } = await previewChange(customer, "starter-monthly", "period-end");
  const answer = await customer.pay("POST", "/account/plan/change", { planId: "starter-monthly", timing: "period-end", previewId });
  if (answer.statusCode !== 200) throw new Error(`not planned: ${answer.body}`);
  return rest;
}

const invitedBy = async () => {
  const person = await owner();
  const email = `mate-of-${person.accountName}@example.com`;
  await shop.api.call("POST", "/api/account/invite-members", { token: person.token, body: { emails: [email] } });
  await shop.api.database.pool.query("update invitations set state = 'sent', due_at = null where email = $1", [email]);
  shop.api.clock.advance(dayMs / 24);
  const { invitations } = (await shop.api.call("GET", "/api/account/invitations", { token: person.token })).json() as {
    invitations: { id: string }[];
  };
  return { ...person, params: { id: invitations[0]!.id } };
};

const quotas = { monthlyExecutions: 60_000, activeWorkflows: 60 };

const scenarios: Record<Exclude<Changing, keyof typeof exempt>, Scenario> = {
  register: {
    action: "account.registered",
    prepare: async () => ({
      accountName: "audited",
      body: buildRegistration({ accountName: "audited", email: "audited@example.com", emailConfirmation: "audited@example.com", password }),
    }),
  },
  logIn: {
    action: "session.opened",
    prepare: async () =>
      ((person) => ({ accountName: person.accountName, body: { login: person.accountName, password } }))(await newcomer()),
  },
  logOut: { action: "session.closed", prepare: newcomer },
  logInWithCode: {
    action: "session.opened",
    async prepare() {
      const { form, accountName } = await newcomer();
      await shop.api.call("POST", "/api/user/magic-link", { body: { email: form["email"] } });
      return { accountName, body: { code: await linkOf(form["email"]) } };
    },
  },
  requestMagicLink: {
    action: "magic-link.asked",
    byNobody: true,
    prepare: async () => ((person) => ({ accountName: person.accountName, body: { email: person.form["email"] } }))(await newcomer()),
  },
  forgotPassword: {
    action: "password.reset-asked",
    byNobody: true,
    prepare: async () => ((person) => ({ accountName: person.accountName, body: { email: person.form["email"] } }))(await newcomer()),
  },
  resetPassword: {
    action: "password.reset",
    async prepare() {
      const { form, accountName } = await newcomer();
      await shop.api.call("POST", "/api/auth/forgot-password", { body: { email: form["email"] } });
      return { accountName, body: { token: await linkOf(form["email"]), password: "another good password" } };
    },
  },
  endSession: {
    action: "session.ended",
    async prepare() {
      const person = await newcomer();
      await signInAgain(person);
      const { sessions: own } = (await shop.api.call("GET", "/api/auth/sessions", { token: person.token })).json() as {
        sessions: { id: string; isCurrent: boolean }[];
      };
      return { ...person, params: { id: own.find(({ isCurrent }) => !isCurrent)!.id } };
    },
  },
  endOtherSessions: {
    action: "sessions.ended",
    async prepare() {
      const person = await newcomer();
      await signInAgain(person);
      return person;
    },
  },
  changePassword: {
    action: "password.changed",
    prepare: async () => ({ ...(await newcomer()), body: { currentPassword: password, password: "another good password" } }),
  },
  confirmPassword: {
    action: "session.password_confirmed",
    async prepare() {
      const person = await newcomer();
      await shop.api.database.db
        .update(sessions)
        .set({ openedBy: "workspace" })
        .where(eq(sessions.tokenHash, hashToken(person.token)));
      return { ...person, body: { password } };
    },
  },
  changeEmail: {
    action: "email.change-asked",
    prepare: async () =>
      ((person) => ({ ...person, body: { email: `new-${person.accountName}@example.com`, password } }))(await newcomer()),
  },
  changeProfile: {
    action: "profile.changed",
    prepare: async () => ({ ...(await newcomer()), body: { fullName: "Ada King", language: "de" } }),
  },
  withdrawEmailChange: { action: "email.change-withdrawn", prepare: changing },
  resendEmailChange: { action: "email.change-resent", prepare: changing },
  forgetTemplate: {
    action: "template.opened",
    async prepare() {
      const { token, form } = await registerConfirmed(shop.api, { templateId: "1954" });
      return { accountName: String(form["accountName"]), token, params: { id: "1954" } };
    },
  },
  confirmEmailChange: {
    action: "email.changed",
    async prepare() {
      const person = await newcomer();
      const email = `next-${person.accountName}@example.com`;
      await shop.api.call("POST", "/api/auth/change-email", { token: person.token, body: { email, password } });
      return { accountName: person.accountName, token: person.token, body: { token: await linkOf(email) } };
    },
  },
  confirmEmail: {
    action: "email.confirmed",
    async prepare() {
      const { form, token } = await registerSomebody(shop.api);
      return { accountName: form["accountName"], token, body: { token: await linkOf(form["email"]) } };
    },
  },
  resendConfirmation: {
    action: "email.confirmation-resent",
    async prepare() {
      const { form, token } = await registerSomebody(shop.api);
      shop.api.clock.advance(dayMs / 24);
      return { accountName: form["accountName"], token };
    },
  },
  savePersonalizationAnswer: { action: "survey.answered", prepare: async () => ({ ...(await newcomer()), body: { workArea: "finance" } }) },
  saveAiAnswer: { action: "survey.ai-answered", prepare: async () => ({ ...(await newcomer()), body: { uses: ["agents"] } }) },
  saveSelectedApps: { action: "apps.selected", prepare: async () => ({ ...(await newcomer()), body: { apps: ["n8n-nodes-base.slack"] } }) },
  dismissFirstDays: { action: "first-days.dismissed", prepare: owner },
  restoreFirstDays: { action: "first-days.restored", prepare: owner },
  skipOnboardingStep: { action: "onboarding.skipped", prepare: async () => ({ ...(await newcomer()), body: { step: "apps" } }) },
  setUpAccount: { action: "account.set-up", prepare: async () => ({ ...(await newcomer()), body: { timezone: "Etc/UTC" } }) },
  getInstanceUrl: { action: "workspace.opened", prepare: owner },
  restartInstance: { action: "workspace.restarted", prepare: owner },
  changeInstance: { action: "workspace.configured", prepare: async () => ({ ...(await owner()), body: { timezone: "Asia/Tokyo" } }) },
  changeVariables: {
    action: "workspace.variables_changed",
    prepare: async () => ({
      ...(await owner()),
      body: { revision: 0, variables: [{ name: "API_URL", isSecret: false, value: "https://api.example.com" }] },
    }),
  },
  deleteInstance: {
    action: "workspace.deleted",
    prepare: async () => ((person) => ({ ...person, body: { accountName: person.accountName } }))(await owner()),
  },
  closeAccount: {
    action: "account.closed",
    prepare: async () => ((person) => ({ ...person, body: { accountName: person.accountName } }))(await owner()),
  },
  reopenAccount: {
    action: "account.reopened",
    async prepare() {
      const person = await owner();
      await shop.api.call("POST", "/api/account/closing", { token: person.token, body: { accountName: person.accountName } });
      return person;
    },
  },
  createInstance: {
    action: "workspace.created",
    async prepare() {
      const person = await owner();
      await shop.api.call("POST", "/api/instance/delete", { token: person.token, body: { accountName: person.accountName } });
      await shop.api.database.pool.query(
        "update workspaces set observed_state = 'deleted', observed_generation = generation, reconcile_at = null where account_id = $1",
        [person.accountId],
      );
      return { ...person, body: { timezone: "Etc/UTC" } };
    },
  },
  rollBackInstance: {
    action: "workspace.rolled_back",
    async prepare() {
      const person = await owner();
      await updatedWorkspace(shop.api, person.workspace, { from: "2.38.7", to: "2.40.7" });
      return { ...person, body: { accountName: person.accountName } };
    },
  },
  inviteMembers: {
    action: "invitation.created",
    prepare: async () => ((person) => ({ ...person, body: { emails: [`bob-${person.accountName}@example.com`] } }))(await owner()),
  },
  resendInvitation: { action: "invitation.resent", prepare: invitedBy },
  revokeInvitation: { action: "invitation.revoked", prepare: invitedBy },
  generatePayLink: { action: "checkout.started", prepare: async () => ({ ...(await owner()), params: { id: "pro-1-monthly" }, body: {} }) },
  completeCheckout: {
    action: "subscription.active",
    async prepare() {
      const person = await owner();
      const link = await shop.api.call("POST", "/api/v1/paddle/plan/starter-monthly/generatePayLink", { token: person.token, body: {} });
      await payAt(shop, (link.json() as { url: string }).url);
      return { ...person, body: { planId: "starter-monthly" } };
    },
  },
  changeCard: { action: "card.change-asked", prepare: async () => ({ ...(await subscriber()), body: {} }) },
  changePlan: {
    action: "subscription.change-asked",
    async prepare() {
      const { customer, ...rest } = await subscriber("starter-monthly");
      return { ...rest, body: { planId: "pro-1-monthly", previewId: (await previewChange(customer, "pro-1-monthly")).previewId } };
    },
  },
  changeCustomPlan: {
    action: "subscription.change-asked",
    async prepare() {
      const { customer, ...rest } = await subscriber("starter-monthly");
      const wanted = { planId: "custom-monthly", quotas };
      const preview = await customer.call("POST", "/account/plan/change/custom/preview", { body: wanted });
      return { ...rest, body: { ...wanted, previewId: (preview.json() as { preview: { previewId: string } }).preview.previewId } };
    },
  },
  cancelScheduledChange: { action: "subscription.change-taken-back", prepare: withPlannedChange },
  cancelSubscription: {
    action: "subscription.cancel-asked",
    prepare: async () => ((person) => ({ ...person, body: { accountName: person.accountName } }))(await subscriber()),
  },
  resubscribe: {
    action: "subscription.resubscribe-asked",
    async prepare() {
      const { customer, ...rest } = await subscriber();
      await customer.pay("POST", "/account/billing/cancel", { accountName: rest.accountName });
      return { ...rest, body: {} };
    },
  },
  retryPayment: {
    action: "payment.retry-asked",
    async prepare() {
      const { customer, ...rest } = await subscriber("starter-monthly", "renewal-soft");
      await shop.pass(32 * dayMs);
      await customer.signIn();
      const { url } = (await customer.call("POST", "/account/payment-information/change", { body: {} })).json() as { url: string };
      await shop.harness.enterCard(url, "mastercard");
      await shop.api.database.pool.query(
        "update subscriptions set status = 'past_due', past_due_at = coalesce(past_due_at, now()) where account_id = (select id from accounts where name = $1)",
        [rest.accountName],
      );
      return { ...rest, body: {} };
    },
  },
  saveBillingDetails: { action: "billing_details.changed", prepare: async () => ({ ...(await newcomer()), body: germanDetails }) },
  createBackup: { action: "backup.requested", prepare: owner },
  backupDownloadLink: {
    action: "backup.link-made",
    prepare: async () => ((person, id) => ({ ...person, params: { id }, body: { password } }))(...(await withBackup())),
  },
  exportDownloadLink: {
    action: "export.link-made",
    async prepare() {
      const person = await owner();
      return { ...person, params: { id: await exportOf(shop.api, person.workspace) } };
    },
  },
  downloadFile: {
    action: "backup.downloaded",
    async prepare() {
      const [person, id] = await withBackup();
      await storeFile(shop.api, `backups/${id}`, Buffer.from("what was in it"));
      const link = await shop.api.call("POST", `/api/export/backups/${id}/download`, { token: person.token, body: { password } });
      return { ...person, params: { token: (link.json() as { url: string }).url.split("/").at(-1)! } };
    },
  },
  restoreBackup: {
    action: "backup.restored",
    prepare: async () =>
      ((person, id) => ({ ...person, params: { id }, body: { accountName: person.accountName } }))(...(await withBackup())),
  },
  deleteBackup: {
    action: "backup.deleted",
    prepare: async () => ((person, id) => ({ ...person, params: { id } }))(...(await withBackup())),
  },
  deleteExport: {
    action: "export.deleted",
    async prepare() {
      const person = await owner();
      return { ...person, params: { id: await exportOf(shop.api, person.workspace) } };
    },
  },
  exportWorkflows: { action: "export.requested", prepare: async () => ({ ...(await owner()), body: { withCredentials: false } }) },
};

async function withBackup() {
  const person = await owner();
  return [person, await backupOf(shop.api, person.workspace)] as const;
}

const address = "10.99.0.7";
let keys = 0;

test.each(Object.entries(scenarios))("%s leaves a row: who, what, when, from where", async (name, { action, byNobody, prepare }) => {
  const route: RouteContract = routes[name as RouteName];
  const { pool } = shop.api.database;
  const {
    accountName,
    token,
    params = {},
    body,
    ask = (method, path, options) => shop.api.call(method, `/api${path}`, { ...(token ? { token } : {}), ...options }),
  } = await prepare();
  const before = (await pool.query<{ id: string }>("select coalesce(max(id), 0) as id from audit_log")).rows[0]!.id;
  const path = route.path.replace(/:(\w+)/g, (_, key: string) => params[key]!);
  const answer = await ask(route.method, path, {
    ...(body === undefined ? {} : { body }),
    address,
    headers: { "idempotency-key": `audit-${(keys += 1)}` },
  });
  expect(answer.statusCode, answer.body).toBeLessThan(400);
  const { rows } = await pool.query(
    "select l.action, l.user_id, u.id as person, l.address, l.at from audit_log l join accounts a on a.id = l.account_id join users u on u.account_id = a.id where l.id > $1 and a.name = $2",
    [before, accountName],
  );
  const row = (rows as { action: string; user_id: string | null; person: string; address: string; at: Date }[]).find(
    (each) => each.action === action,
  );
  expect(row, JSON.stringify(rows)).toMatchObject({ address, at: shop.api.clock.now() });
  expect(row!.user_id).toBe(byNobody ? null : row!.person);
});

test("every call of the contract that changes something leaves a row, or has a reason not to", () => {
  const changing = Object.entries(routes as Record<string, RouteContract>).filter(
    ([, { method, writes }]) => (method !== "GET" && method !== "HEAD") || writes === "change",
  );
  expect([...Object.keys(scenarios), ...Object.keys(exempt)].toSorted()).toEqual(changing.map(([name]) => name).toSorted());
  for (const [name, reason] of Object.entries(exempt)) expect(reason, name).toMatch(/\w+ \w+/);
});

test("a change of settings is recorded with the values before and after", async () => {
  const person = await owner();
  await shop.api.call("PUT", "/api/instance/configuration", { token: person.token, body: { timezone: "Asia/Tokyo" } });
  await shop.api.call("POST", "/api/account/selected-apps", { token: person.token, body: { apps: ["n8n-nodes-base.slack"] } });
  await shop.api.call("POST", "/api/account/selected-apps", { token: person.token, body: { apps: [] } });
  const { rows } = await shop.api.database.pool.query(
    "select action, before, after from audit_log where account_id = $1 and action in ('workspace.configured', 'apps.selected') order by id",
    [person.accountId],
  );
  expect(rows).toMatchObject([
    { action: "workspace.configured", before: { timezone: "Etc/UTC" }, after: { timezone: "Asia/Tokyo" } },
    { action: "apps.selected", before: [], after: ["n8n-nodes-base.slack"] },
    { action: "apps.selected", before: ["n8n-nodes-base.slack"], after: [] },
  ]);
});

test("no row of the log contains a password, a token or a code", async () => {
  const { rows } = await shop.api.database.pool.query("select before, after from audit_log");
  const said = JSON.stringify(rows);
  for (const secret of [password, "another good password", "$argon2", "token="]) expect(said).not.toContain(secret);
});
