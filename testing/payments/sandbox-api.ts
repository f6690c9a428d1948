/** The API with the payment sandbox behind it, as the program runs it outside production; its loop runs on request. */
import { createSandboxProvider } from "#payments/sandbox/create-sandbox-provider.ts";
import { deliverDue } from "#payments/sandbox/webhooks/deliver-webhooks.ts";
import { planPrices } from "#payments/sandbox/plan-prices.ts";
import { runDue } from "#payments/sandbox/run-due.ts";
import { createBilling } from "#domain/journeys/manage-billing/create-billing.ts";
import type { ApiServices } from "#apps/api/services.ts";
import { createTestApi, registerConfirmed, type TestApi } from "../test-api.ts";
import { testSeller } from "./test-seller.ts";

export interface SandboxApi extends TestApi {
  /** Runs what is due, such as renewals, and delivers events to the API; resolves with the number delivered. */
  runSandbox(): Promise<number>;
  /** Fills in and submits a page of the sandbox. */
  send(url: string, fields: Record<string, string>): ReturnType<TestApi["call"]>;
  /** Opens a checkout as a signed-in customer; resolves with its address. */
  openCheckout(token: string, planId?: string): Promise<string>;
}

const secrets = [Buffer.from("a secret for webhooks")];

export async function createSandboxApi(overrides: Partial<ApiServices> = {}): Promise<SandboxApi> {
  const api = await createTestApi(async (usual) => {
    const { db, log, secrets: own, publicUrl } = usual;
    const clock = overrides.clock ?? usual.clock;
    const findPrice = planPrices(db);
    const provider = createSandboxProvider({ db, clock, publicUrl, findPrice, webhookSecrets: secrets });
    return {
      billing: createBilling({
        db,
        clock,
        log,
        secrets: own,
        provider,
        publicUrl,
        leastNoticeMs: 0,
        lastBackupDays: 30,
        seller: testSeller,
      }),
      sandbox: {
        db,
        clock,
        findPrice,
        publicUrl,
        panelUrl: `${publicUrl}/`,
        merchant: "Slipway",
        isTaxInclusive: () => false,
        now: () => clock.now(),
        wake: () => undefined,
      },
      ...overrides,
    };
  });
  const { db, log } = api.services;
  const { clock } = api.services;
  const post = async (headers: Record<string, string>, payload: Buffer) =>
    (await api.app.inject({ method: "POST", url: "/api/webhooks/sandbox", headers, payload })).statusCode;
  return {
    ...api,
    async runSandbox() {
      await runDue(db, clock.now());
      return deliverDue({ db, clock, log, secrets, post });
    },
    send: (url, fields) =>
      api.app.inject({
        method: "POST",
        url: new URL(url).pathname,
        headers: { "content-type": "application/x-www-form-urlencoded", host: "localhost:3000" },
        payload: new URLSearchParams(fields).toString(),
      }),
    async openCheckout(token, planId = "pro-1-monthly") {
      const answer = await api.call("POST", `/api/v1/paddle/plan/${planId}/generatePayLink`, {
        token,
        body: { currency: "USD" },
        headers: { "idempotency-key": crypto.randomUUID() },
      });
      if (answer.statusCode !== 200) throw new Error(`no checkout: ${answer.body}`);
      return (answer.json() as { url: string }).url;
    },
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** Registers and confirms a customer, who is then on their trial. */
export async function registerOnTrial(api: TestApi): Promise<string> {
  const { token } = await registerConfirmed(api);
  const answer = await api.call("POST", "/api/account/setup", { token, body: { timezone: "Europe/Berlin" } });
  if (answer.statusCode !== 202) throw new Error(`setting up failed: ${answer.body}`);
  return token;
}

/** A form that pays in the United States, where no tax is due. */
export const payingForm = (changes: Record<string, string> = {}): Record<string, string> => ({
  number: "4242 4242 4242 4242",
  expiry: "12 / 40",
  cvc: "123",
  name: "Ada Lovelace",
  country: "US",
  postalCode: "94105",
  vatId: "",
  shown: "6000",
  ...changes,
});
