/** The panel's real API over a real database, called without a socket; and its users. */
import { n8nAlone } from "#contract/billing/plans/delivered-features.ts";
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBackupKeys } from "#domain/backups/sealed/backup-keys.ts";
import { createFolderStorage } from "#domain/backups/storage/folder-storage.ts";
import { readLoginCode } from "#apps/provisioner/engines/n8n/people/read-login-code.ts";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import type { ApiServices } from "#apps/api/services.ts";
import { buildApi } from "#apps/api/build-api.ts";
import { buildRegistration } from "./accounts/build-registration.ts";
import { readCatalogue } from "#domain/plans/catalogue.ts";
import { absentProvider } from "./payments/absent-provider.ts";
import { testSeller } from "./payments/test-seller.ts";
import { savePlans } from "#domain/plans/plan-store.ts";
import { prepareCurrentUser } from "#domain/journeys/signed-in/current-user-query.ts";
import { createNodeCatalogue } from "#domain/node-catalogue/create-node-catalogue.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import { createOutputWatch } from "#domain/journeys/look-into-workspace/output-watch.ts";
import { createWorkspaceWatch } from "#domain/journeys/watch-workspace/workspace-watch.ts";
import { mails } from "#database/tables.ts";
import { sessionCookie } from "#platform/http/session-cookie.ts";
import { createLog } from "#platform/log.ts";
import { createSecrets } from "#platform/secrets.ts";
import { desc, eq } from "drizzle-orm";
import { createFlags } from "#domain/experiments/flags.ts";
import { noChallenge } from "#domain/challenges/challenge.ts";
import { noBreachedPasswords } from "#domain/passwords/breached-passwords.ts";
import { createTestDatabase, type TestDatabase } from "./postgres.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

export interface CallOptions {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  /** The caller's address; without it each call comes from another one, so that limits are only reached on purpose. */
  address?: string;
}

export interface TestApi extends AsyncDisposable {
  app: FastifyInstance;
  database: TestDatabase;
  clock: TestClock;
  services: ApiServices;
  /** A call as a browser makes it from the panel's own page; `token` goes into the cookie. */
  call(method: InjectOptions["method"], path: string, options?: CallOptions): Promise<LightMyRequestResponse>;
  /** The first link of the newest mail to this address. */
  newestLink(email: unknown): Promise<string>;
}

const publicUrl = "http://localhost:3000";

/** As if a day had passed since the calls made so far: for tests that make more of them than a person. */
export const forgetCalls = async ({ database }: TestApi): Promise<void> => void (await database.pool.query("truncate call_counts"));

/** `overrides` may be built from the API's own parts, such as its database. */
export async function createTestApi(
  overrides: Partial<ApiServices> | ((usual: ApiServices) => Promise<Partial<ApiServices>>) = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const clock = createTestClock();
  await savePlans(database.db, readCatalogue(), clock.now());
  const log = createLog("silent");
  const secrets = createSecrets("a key for tests, long enough to be one");
  const usual: ApiServices = {
    db: database.db,
    clock,
    log,
    secrets,
    stored: {
      storage: createFolderStorage(join(tmpdir(), `slipway-api-${database.connection.database}`)),
      keys: createBackupKeys(secrets),
    },
    billing: createBilling({
      db: database.db,
      clock,
      log,
      secrets,
      provider: absentProvider,
      publicUrl,
      leastNoticeMs: 0,
      lastBackupDays: 30,
      seller: testSeller,
    }),
    timeTravel: null,
    watch: createWorkspaceWatch(),
    outputWatch: createOutputWatch(),
    nodeCatalogue: createNodeCatalogue(null),
    introspection: true,
    closedAccountDays: 30,
    instanceOperations: true,
    termsVersion: "2026-11",
    challenge: noChallenge,
    registrationsPerDay: 50,
    passwords: { operatorNames: ["panel.operator.example", "Slipway Example GmbH"], breached: noBreachedPasswords },
    publicUrl,
    cookie: sessionCookie(false),
    workspace: {
      engine: "n8n",
      engineName: "n8n",
      version: "2.40.7",
      releases: [
        {
          version: "2.40.7",
          releasedAt: "2026-09-26T01:16:11.199Z",
          channel: "stable",
          migrations: 261,
          notes: "https://notes.example/2.40.7",
        },
        { version: "2.38.7", releasedAt: "2026-09-12T10:33:24.778Z", channel: "stable", migrations: 248 },
      ],
      memoryMb: 1024,
      cpus: 1,
      diskMb: 5120,
      hasExports: true,
      hasCommunityNodes: true,
      settings: [{ name: "N8N_LOG_LEVEL", accepts: (value) => ["info", "debug"].includes(value), values: "info, debug" }],
      takesVariablesRunning: true,
      createSecrets: () => ({ encryptionKey: "a secret of this workspace", loginKey: randomBytes(32).toString("base64url") }),
      readLoginCode: (code) => readLoginCode(code, clock),
      loginPath: (workspaceId, landing) => `/_slipway/login?token=for-${workspaceId}&to=${encodeURIComponent(landing)}`,
    },
    findCurrentUser: prepareCurrentUser(database.db, clock, log),
    evaluateFlags: await createFlags(log),
    outside: { challenge: "off", analytics: { postHog: null, tagManager: null }, sentryDsn: undefined, sentryEnvironment: "development" },
    webFolder: "/nonexistent",
    callsPerMinute: 10_000,
    trustedProxyHops: 0,
    developmentInbox: true,
    sandbox: null,
    providerPage: null,
    delivery: n8nAlone,
    supportEmail: "help@s.example",
    hasFrontPage: false,
    links: { status: "https://s.example", impressum: "https://i.example", privacy: "https://p.example", terms: "https://t.example" },
    checkReadiness: () => Promise.resolve({ database: true, migrated: true, roles: true }),
  };
  const services = { ...usual, ...(typeof overrides === "function" ? await overrides(usual) : overrides) };
  const app = await buildApi(services);
  let calls = 0;
  return {
    app,
    database,
    clock,
    services,
    call: (method, path, { body, token, headers, address } = {}) =>
      app.inject({
        method,
        remoteAddress: address ?? `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${(calls += 1) & 255}`,
        url: path,
        ...(body === undefined ? {} : { payload: body as object }),
        headers: {
          origin: publicUrl,
          host: "localhost:3000",
          ...(token ? { cookie: `${services.cookie.name}=${token}` } : {}),
          ...headers,
        },
      }),
    async newestLink(email) {
      const [newest] = await database.db
        .select({ text: mails.text })
        .from(mails)
        .where(eq(mails.recipient, String(email)))
        .orderBy(desc(mails.createdAt))
        .limit(1);
      return /https?:\/\/\S+/.exec(newest?.text ?? "")?.[0] ?? "";
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await database.close();
      await rm(services.stored.storage.place, { recursive: true, force: true });
    },
  };
}

/** Registers a user and returns their token and the submitted form. */
export async function registerSomebody(
  api: TestApi,
  changes: Record<string, unknown> = {},
): Promise<{ token: string; form: Record<string, unknown> }> {
  const form = buildRegistration(changes);
  const answer = await api.call("POST", "/api/auth/register", { body: form });
  if (answer.statusCode !== 201) throw new Error(`registering failed: ${answer.body}`);
  return { token: (answer.json() as { token: string }).token, form };
}

/** The same, with the email address confirmed. */
export async function registerConfirmed(
  api: TestApi,
  changes: Record<string, unknown> = {},
): Promise<{ token: string; form: Record<string, unknown> }> {
  const somebody = await registerSomebody(api, changes);
  const token = new URL(await api.newestLink(somebody.form.email)).searchParams.get("token");
  const answer = await api.call("POST", "/api/auth/confirm-email", { token: somebody.token, body: { token } });
  if (answer.statusCode !== 200) throw new Error(`confirming failed: ${answer.body}`);
  return somebody;
}
