import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Invitation } from "#contract/accounts/invitation.ts";
import { hourMs, secondMs } from "#platform/clock.ts";
import { createTestApi, registerConfirmed, registerSomebody, type TestApi } from "#testing/test-api.ts";

let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const invite = (token: string, emails: unknown, address?: string) =>
  api.call("POST", "/api/account/invite-members", { token, body: { emails }, ...(address ? { address } : {}) });
const list = async (token: string) =>
  (await api.call("GET", "/api/account/invitations", { token })).json() as { invitations: Invitation[]; usersLimit: number };
const resend = (token: string, id: string) => api.call("POST", `/api/account/invitations/${id}/resend`, { token });
const revoke = (token: string, id: string) => api.call("DELETE", `/api/account/invitations/${id}`, { token });
/** As if a worker had updated the invitation. */
const set = (id: string, columns: string) => api.database.pool.query(`update invitations set ${columns} where id = $1`, [id]);

test("several people are stored together, in lowercase, each once, until there is a workspace", async () => {
  const { token } = await registerSomebody(api);
  expect((await list(token)).invitations).toEqual([]);
  const answer = await invite(token, ["Bob@Example.com", " carl@example.com ", "bob@example.com"]);
  expect([answer.statusCode, answer.body]).toEqual([204, ""]);
  const { invitations, usersLimit } = await list(token);
  expect(invitations.map(({ email, state, sentAt, acceptedAt }) => [email, state, sentAt, acceptedAt])).toEqual([
    ["bob@example.com", "waiting", null, null],
    ["carl@example.com", "waiting", null, null],
  ]);
  expect(usersLimit).toBe(5);
  const { rows } = await api.database.pool.query("select 1 from mails where recipient = any($1)", [
    ["bob@example.com", "carl@example.com"],
  ]);
  expect(rows).toEqual([]);
});

test("inviting a person completes this step of the sign-up", async () => {
  const { token } = await registerSomebody(api);
  await invite(token, ["bob@example.com"]);
  const { user } = (await api.call("GET", "/api/auth/me", { token })).json();
  expect(user.account.onboarding.steps).toContainEqual({ name: "invite", state: "done" });
});

const sentence = "Enter a valid email address";

test.each([
  ["not an address", ["bob"], { "emails.0": sentence }],
  ["an empty one", [""], { "emails.0": sentence }],
  ["a name beside the address", ["Bob <bob@example.com>"], { "emails.0": sentence }],
  ["two in one", ["bob@example.com,carl@example.com"], { "emails.0": sentence }],
  ["a line break", ["bob@example.com\r\nBcc: eve@example.com"], { "emails.0": sentence }],
  ["a number", [7], { "emails.0": sentence }],
  ["one that is too long", [`${"b".repeat(250)}@example.com`], { "emails.0": sentence }],
  ["two bad among good ones", ["bob@example.com", "x", "carl@example.com", "y@"], { "emails.1": sentence, "emails.3": sentence }],
  ["nobody", [], { emails: "Enter at least one email address." }],
  ["no list", "bob@example.com", { emails: "Enter at least one email address." }],
  ["too many at once", Array.from({ length: 51 }, (_, n) => `p${n}@example.com`), { emails: "Invite at most 50 people at a time." }],
])("%s is refused at its field, and no one is invited", async (_what, emails, errors) => {
  const { token } = await registerSomebody(api);
  const answer = await invite(token, emails);
  expect(answer.statusCode).toBe(422);
  const found = (answer.json() as { errors: { path: string; message: string }[] }).errors;
  expect(Object.fromEntries(found.map(({ path, message }) => [path, message]))).toEqual(errors);
  expect((await list(token)).invitations).toEqual([]);
});

test("the owner's address and people who are invited or have joined are reported at their fields, and no one is invited", async () => {
  const { token, form } = await registerSomebody(api);
  await invite(token, ["bob@example.com", "joined@example.com"]);
  const joined = (await list(token)).invitations[1]!;
  await set(joined.id, "state = 'accepted', accepted_at = now(), due_at = null");
  const answer = await invite(token, ["dora@example.com", form["email"], "BOB@example.com", "joined@example.com"]);
  expect(answer.json()).toMatchObject({
    status: 422,
    errors: [
      { path: "emails.1", code: "invite.own_address", message: "This is your own address." },
      { path: "emails.2", code: "invite.already_invited", message: "This person is already invited." },
      { path: "emails.3", code: "invite.already_accepted", message: "This person has already joined." },
    ],
  });
  expect((await list(token)).invitations).toHaveLength(2);
});

test("the plan's member limit counts the owner; revoking makes room", async () => {
  const { token } = await registerSomebody(api);
  expect((await invite(token, ["a@example.com", "b@example.com", "c@example.com", "d@example.com", "e@example.com"])).json()).toMatchObject(
    {
      status: 409,
      code: "user_quota_reached",
      detail: "Your plan allows 5 people, including you. You can invite 4 more.",
    },
  );
  expect((await invite(token, ["a@example.com", "b@example.com", "c@example.com", "d@example.com"])).statusCode).toBe(204);
  expect((await invite(token, ["e@example.com"])).json()).toMatchObject({
    code: "user_quota_reached",
    detail: "Your plan allows 5 people, including you. You can't invite anyone else.",
  });
  await revoke(token, (await list(token)).invitations[0]!.id);
  expect((await invite(token, ["e@example.com"])).statusCode).toBe(204);
});

test("of two simultaneous requests that together fill the plan, one is refused", async () => {
  const { token } = await registerSomebody(api);
  const answers = await Promise.all([
    invite(token, ["a@example.com", "b@example.com", "c@example.com"]),
    invite(token, ["d@example.com", "e@example.com", "f@example.com"]),
  ]);
  expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([204, 409]);
  expect((await list(token)).invitations).toHaveLength(3);
});

const people = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `p${from + n}@example.com`);

test("a plan without a limit allows 100 people a day, which revoking does not get around", async () => {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: { timezone: "Etc/UTC" } });
  await api.database.pool.query("update subscriptions set spec_id = 'pro-1' where account_id = (select id from accounts where name = $1)", [
    form["accountName"],
  ]);
  expect((await invite(token, people(0, 50))).statusCode).toBe(204);
  await revoke(token, (await list(token)).invitations[0]!.id);
  expect((await invite(token, people(50, 100))).statusCode).toBe(204);
  expect((await list(token)).usersLimit).toBe(-1);
  expect((await invite(token, ["one-more@example.com"])).json()).toMatchObject({ status: 429, code: "too_many_invitations" });
  api.clock.advance(24 * hourMs + secondMs);
  expect((await invite(token, ["one-more@example.com"])).statusCode).toBe(204);
});

test("more than 20 calls a minute from one address wait", async () => {
  const { token } = await registerSomebody(api);
  const codes: number[] = [];
  for (let count = 0; count < 21; count++) codes.push((await invite(token, ["x"], "192.0.2.77")).statusCode);
  expect(codes.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 422));
  expect(codes[20]).toBe(429);
});

test("an invitation is mailed again at most once a minute; one that waits for the workspace stays as it is", async () => {
  const { token } = await registerSomebody(api);
  await invite(token, ["bob@example.com"]);
  const { id } = (await list(token)).invitations[0]!;
  expect((await resend(token, id)).statusCode).toBe(204);
  expect((await list(token)).invitations[0]!.state).toBe("waiting");

  await set(id, "state = 'sent', due_at = null");
  expect((await list(token)).invitations[0]!.resendInSeconds).toBe(60);
  const early = await resend(token, id);
  expect([early.statusCode, early.headers["retry-after"]]).toEqual([429, "60"]);
  api.clock.advance(60 * secondMs);
  expect((await list(token)).invitations[0]!.resendInSeconds).toBe(0);
  const answers = await Promise.all([resend(token, id), resend(token, id)]);
  expect(answers.map((answer) => answer.statusCode)).toEqual([204, 204]);
  expect((await list(token)).invitations[0]).toMatchObject({ state: "waiting", resendInSeconds: 60 });
});

test("a mailbox is not flooded by resending its invitation, nor by revoking it in between", async () => {
  const { token } = await registerSomebody(api);
  await invite(token, ["flooded@example.com"]);
  const again: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const { id } = (await list(token)).invitations[0]!;
    await set(id, "state = 'sent', due_at = null");
    api.clock.advance(61 * secondMs);
    again.push((await resend(token, id)).statusCode);
  }
  expect(again).toEqual([204, 204, 204, 429]);
  await revoke(token, (await list(token)).invitations[0]!.id);
  expect((await invite(token, ["flooded@example.com"])).json()).toMatchObject({ status: 429, code: "too_many_requests" });
  expect((await list(token)).invitations).toEqual([]);
  api.clock.advance(hourMs);
  expect((await invite(token, ["flooded@example.com"])).statusCode).toBe(204);
});

test("a failure is shown with its reason and can be retried; so is an undeliverable mail", async () => {
  const { token } = await registerSomebody(api);
  await invite(token, ["bob@example.com", "carl@example.com"]);
  const [bob, carl] = (await list(token)).invitations as [Invitation, Invitation];
  await set(bob.id, "state = 'failed', reason = 'The workspace refused: no.', attempts = 3");
  await api.database.pool.query(
    "insert into mails (id, recipient, subject, text, html, created_at, failed_at) values (gen_random_uuid(), 'carl@example.com', 's', '', '', now(), now())",
  );
  await set(carl.id, "state = 'sent', due_at = null, mail_id = (select id from mails where recipient = 'carl@example.com' limit 1)");
  expect((await list(token)).invitations).toMatchObject([
    { state: "failed", reason: "The workspace refused: no. We'll try again automatically." },
    { state: "failed", reason: "The email could not be delivered. Check the address." },
  ]);
  api.clock.advance(60 * secondMs);
  expect((await resend(token, bob.id)).statusCode).toBe(204);
  const [again] = (await list(token)).invitations;
  expect(again).toMatchObject({ state: "waiting" });
  expect(again).not.toHaveProperty("reason");
});

test("a revoked person disappears from the list and can be invited again; one who has joined stays", async () => {
  const { token } = await registerSomebody(api);
  await invite(token, ["bob@example.com", "carl@example.com"]);
  const [bob, carl] = (await list(token)).invitations as [Invitation, Invitation];
  await set(carl.id, "state = 'accepted', accepted_at = now(), due_at = null");
  expect((await revoke(token, bob.id)).statusCode).toBe(204);
  expect((await revoke(token, bob.id)).statusCode).toBe(404);
  expect((await resend(token, bob.id)).statusCode).toBe(404);
  expect((await revoke(token, carl.id)).json()).toMatchObject({ status: 409, code: "invitation_accepted" });
  expect((await resend(token, carl.id)).json()).toMatchObject({ status: 409, code: "invitation_accepted" });
  expect((await list(token)).invitations.map(({ email }) => email)).toEqual(["carl@example.com"]);
  expect((await invite(token, ["bob@example.com"])).statusCode).toBe(204);
  expect((await list(token)).invitations).toHaveLength(2);
});

test("another account's invitation, and an invalid id, are not found", async () => {
  const mine = await registerSomebody(api);
  const other = await registerSomebody(api);
  await invite(mine.token, ["bob@example.com"]);
  const { id } = (await list(mine.token)).invitations[0]!;
  for (const foreign of [id, "00000000-0000-7000-8000-000000000000", "x", "%27%20or%201=1", "..%2f"]) {
    expect((await revoke(other.token, foreign)).statusCode).toBe(404);
    expect((await resend(other.token, foreign)).statusCode).toBe(404);
  }
  expect((await list(other.token)).invitations).toEqual([]);
  expect((await list(mine.token)).invitations).toHaveLength(1);
});

test.each([
  ["POST", "/api/account/invite-members", { emails: ["bob@example.com"] }],
  ["GET", "/api/account/invitations", undefined],
  ["POST", "/api/account/invitations/x/resend", undefined],
  ["DELETE", "/api/account/invitations/x", undefined],
] as const)("%s %s is for signed-in people on the panel's own pages", async (method, path, body) => {
  expect((await api.call(method, path, { body })).json()).toMatchObject({ status: 401, code: "signed_out" });
  if (method === "GET") return;
  const { token } = await registerSomebody(api);
  expect((await api.call(method, path, { body, token, headers: { origin: "https://evil.example" } })).json()).toMatchObject({
    status: 403,
    code: "cross_origin",
  });
});

test("the audit log says who invited and revoked whom, and from where", async () => {
  const { token, form } = await registerSomebody(api);
  await invite(token, ["bob@example.com"], "192.0.2.9");
  await revoke(token, (await list(token)).invitations[0]!.id);
  const { rows } = await api.database.pool.query(
    "select action, before, after, address from audit_log where account_id = (select id from accounts where name = $1) and action like 'invitation.%' order by id",
    [form["accountName"]],
  );
  expect(rows).toMatchObject([
    { action: "invitation.created", after: { emails: ["bob@example.com"] }, address: "192.0.2.9" },
    { action: "invitation.revoked", before: { email: "bob@example.com" } },
  ]);
});

test("an invitation and a billing correction at the same moment both succeed", async () => {
  const { token, form } = await registerConfirmed(api);
  await api.call("POST", "/api/account/setup", { token, body: {} });
  const payment = await api.database.pool.connect();
  await payment.query("begin");
  // As billing does: first the workspace gets its plan, then the correction is recorded.
  const { rows } = await payment.query(
    "update workspaces set updated_at = now() where account_id = (select id from accounts where name = $1) returning account_id",
    [form.accountName],
  );
  const invited = invite(token, ["bob@example.com"]);
  await vi.waitFor(
    async () =>
      expect(
        (await api.database.pool.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
          .rowCount,
      ).toBe(1),
    { timeout: 60_000 },
  );
  await payment.query("insert into corrections (at, account_id, kind, detail) values (now(), $1, 'plan-mismatch', '')", [
    rows[0].account_id,
  ]);
  await payment.query("commit");
  payment.release();
  expect((await invited).statusCode).toBe(204);
});
