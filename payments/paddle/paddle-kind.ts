/** Paddle as a provider that operators can choose. It has no payment page; its script draws the checkout on a page of the panel. */
import { z } from "zod";
import { providerKey, secretsIn, type ProviderKind } from "../provider-kind.ts";
import { secondMs } from "#platform/clock.ts";
import { RenewalUnderWay } from "../payment-provider.ts";
import { createPaddleProvider } from "./create-paddle-provider.ts";
import { countedMs } from "./paddle-meter.ts";
import { servePaddle } from "./serve-paddle.ts";

interface PaddleKeys {
  apiKey: string;
  /** Public by design: it can only open checkouts. */
  clientToken: string;
  webhookSecrets: readonly string[];
  environment: "sandbox" | "production";
}

export const paddle: ProviderKind<PaddleKeys> = {
  forProduction: true,
  isSeller: true,
  isTest: ({ environment }) => environment === "sandbox",
  settings: {
    PADDLE_API_KEY: providerKey,
    PADDLE_WEBHOOK_SECRET: providerKey,
    PADDLE_CLIENT_TOKEN: providerKey,
    PADDLE_ENVIRONMENT: z.enum(["sandbox", "production"]),
  },
  required: ["PADDLE_API_KEY", "PADDLE_WEBHOOK_SECRET", "PADDLE_CLIENT_TOKEN"],
  secrets: ["PADDLE_API_KEY", "PADDLE_WEBHOOK_SECRET"],
  readKeys: (given) => ({
    apiKey: given["PADDLE_API_KEY"] ?? "",
    clientToken: given["PADDLE_CLIENT_TOKEN"] ?? "",
    webhookSecrets: secretsIn(given["PADDLE_WEBHOOK_SECRET"]),
    environment: given["PADDLE_ENVIRONMENT"] === "sandbox" ? "sandbox" : "production",
  }),
  create: ({ apiKey, environment, webhookSecrets }, { clock, log, publicUrl, countCalls }) =>
    createPaddleProvider({
      apiKey,
      environment,
      webhookSecrets,
      clock,
      publicUrl,
      onDebtRefused: (subscriptionId, err) =>
        // Over in half an hour, and tried again then.
        err instanceof RenewalUnderWay
          ? log.info({ err, subscriptionId }, "days used before a pause can't be charged during a renewal; a later look charges them")
          : log.error(
              { err, subscriptionId },
              "Paddle refuses to charge days that were used before a pause; it is tried again, and the subscription runs",
            ),
      countCalls: countCalls && ((who, calls) => countCalls(`calls to Paddle (${environment}) for ${who}`, calls, countedMs / secondMs)),
    }),
  page:
    ({ clientToken, environment }, parts) =>
    (app) =>
      servePaddle(app, { clientToken, environment, ...parts }),
};
