/** What a customer does, over real HTTP: register, find the mail, confirm, request a workspace, watch it. */
import type { ChallengeOffer } from "#contract/accounts/challenge.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { buildRegistration } from "../accounts/build-registration.ts";
import { ask, type Answer } from "../ask.ts";
import { solveChallenge } from "../accounts/solve-challenge.ts";
import { waitFor } from "../wait-for.ts";

export interface Customer {
  accountName: string;
  email: string;
  password: string;
  token: string;
}

interface CallOptions {
  body?: unknown;
  /** Of the signed-in customer; sent in the cookie, as a browser does. */
  token?: string;
  headers?: Record<string, string>;
}

export interface JournalEntry {
  at: string;
  event: string;
  message: string;
  detail: string | null;
}

export interface Customers {
  /** A call as the panel's own page makes it: `call("GET", "/api/instance", { token })`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Registers a customer; an account name is generated unless given. */
  register(changes?: { accountName?: string }): Promise<Customer>;
  /** Opens the link of their newest mail. */
  confirm(customer: Customer): Promise<void>;
  /** Confirms the password, which dangerous calls need within the last ten minutes; the session keeps its token. */
  typePassword(customer: Customer): Promise<void>;
  /** Requests the workspace. */
  setUp(customer: Customer, timezone?: string): Promise<void>;
  /** register, confirm and setUp. */
  launch(changes?: { accountName?: string }): Promise<Customer>;
  instance(customer: Customer): Promise<Instance>;
  /** Oldest first. */
  journal(customer: Customer): Promise<JournalEntry[]>;
  /** Waits until the panel shows a workspace that matches; a workspace needs half a minute or more on a busy machine. */
  until(customer: Customer, fits: (instance: Instance) => boolean, timeoutMs?: number): Promise<Instance>;
  /** The first link of the newest mail to this address; waits until it is sent. */
  newestLink(email: string): Promise<string>;
}

let people = 0;

/** Customers of the panel at `url`, whose public URL is `publicUrl`. */
export function createCustomers(url: string, publicUrl = url): Customers {
  const call: Customers["call"] = (method, path, { body, token, headers } = {}) =>
    ask(url + path, {
      method,
      body,
      headers: { host: new URL(publicUrl).host, origin: publicUrl, ...(token ? { cookie: `token=${token}` } : {}), ...headers },
    });
  const customers: Customers = {
    call,
    async register({ accountName = `ada-${process.pid}-${(people += 1)}` } = {}) {
      const person = { accountName, email: `${accountName}@example.com`, password: "correct horse battery" };
      const challenge = await solveChallenge((await expectStatus(200, call("GET", "/api/auth/challenge"))).json<ChallengeOffer>());
      const body = buildRegistration({ ...person, emailConfirmation: person.email, challenge });
      const { token } = (await expectStatus(201, call("POST", "/api/auth/register", { body }))).json<{ token: string }>();
      return { ...person, token };
    },
    newestLink: (email) =>
      waitFor(
        async () => {
          const { messages } = (await expectStatus(200, call("GET", "/api/dev/inbox"))).json<{
            messages: { to: string; links: string[] }[];
          }>();
          const link = messages.find(({ to }) => to === email)?.links[0];
          if (!link) throw new Error(`no mail to ${email} yet`);
          return link;
        },
        { timeout: 60_000, interval: 50 },
      ),
    async confirm({ email, token }) {
      const link = new URL(await customers.newestLink(email));
      await expectStatus(200, call("POST", "/api/auth/confirm-email", { token, body: { token: link.searchParams.get("token") } }));
    },
    async typePassword({ token, password }) {
      const headers = { authorization: `Bearer ${token}` };
      await expectStatus(204, call("POST", "/api/auth/confirm-password", { body: { password }, headers }));
    },
    async setUp({ token }, timezone = "Europe/Berlin") {
      await expectStatus(202, call("POST", "/api/account/setup", { token, body: { timezone } }));
    },
    async launch(changes) {
      const customer = await customers.register(changes);
      await customers.confirm(customer);
      await customers.setUp(customer);
      return customer;
    },
    instance: async ({ token }) => (await expectStatus(200, call("GET", "/api/instance", { token }))).json<Instance>(),
    async journal({ token }) {
      const answer = await expectStatus(200, call("GET", "/api/instance/journal", { token }));
      return answer.json<{ entries: JournalEntry[] }>().entries.toReversed();
    },
    until: (customer, fits, timeoutMs = 240_000) =>
      waitFor(
        async () => {
          const instance = await customers.instance(customer);
          if (!fits(instance)) throw new Error(`not yet: ${JSON.stringify(instance)}`);
          return instance;
        },
        // Well below the API's limit for one address.
        { timeout: timeoutMs, interval: 250 },
      ),
  };
  return customers;
}

async function expectStatus(status: number, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text.slice(0, 500)}`);
  return answer;
}
