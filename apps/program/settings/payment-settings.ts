/** Who takes the money, and the keys for it. */
import { z } from "zod";
import { optional, withDefault } from "./setting-shapes.ts";

const secrets = z.string().min(8, "is too short to be a key");

export const paymentSettings = {
  PAYMENTS: withDefault(z.enum(["sandbox", "stripe", "paddle"]), "sandbox"),
  STRIPE_SECRET_KEY: optional(secrets),
  STRIPE_WEBHOOK_SECRET: optional(secrets),
  PADDLE_API_KEY: optional(secrets),
  PADDLE_WEBHOOK_SECRET: optional(secrets),
  PADDLE_CLIENT_TOKEN: optional(secrets),
  PADDLE_ENVIRONMENT: withDefault(z.enum(["sandbox", "production"]), "production"),
};

interface Settings {
  PAYMENTS: "sandbox" | "stripe" | "paddle";
  STRIPE_SECRET_KEY?: string | undefined;
  STRIPE_WEBHOOK_SECRET?: string | undefined;
  PADDLE_API_KEY?: string | undefined;
  PADDLE_WEBHOOK_SECRET?: string | undefined;
  PADDLE_CLIENT_TOKEN?: string | undefined;
  PADDLE_ENVIRONMENT: "sandbox" | "production";
}

/** `webhookSecrets`: those valid now; two while one replaces the other. */
export type PaymentsSetting =
  | { provider: "sandbox" }
  | { provider: "stripe"; secretKey: string; webhookSecrets: readonly string[] }
  | { provider: "paddle"; apiKey: string; clientToken: string; webhookSecrets: readonly string[]; environment: "sandbox" | "production" };

/** The provider with its keys; `paymentProblems` has seen to it that they are there. */
export function readPayments(settings: Settings): PaymentsSetting {
  const list = (text = "") =>
    text
      .split(",")
      .map((secret) => secret.trim())
      .filter((secret) => secret !== "");
  switch (settings.PAYMENTS) {
    case "sandbox":
      return { provider: "sandbox" };
    case "stripe":
      return { provider: "stripe", secretKey: settings.STRIPE_SECRET_KEY ?? "", webhookSecrets: list(settings.STRIPE_WEBHOOK_SECRET) };
    case "paddle":
      return {
        provider: "paddle",
        apiKey: settings.PADDLE_API_KEY ?? "",
        clientToken: settings.PADDLE_CLIENT_TOKEN ?? "",
        webhookSecrets: list(settings.PADDLE_WEBHOOK_SECRET),
        environment: settings.PADDLE_ENVIRONMENT,
      };
  }
}

/** A provider without its keys, and the sandbox in production: nobody would ever pay. */
export function paymentProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const missing = (names: readonly string[]) =>
    names.filter((name) => !env[name]).map((name) => `${name}: PAYMENTS is ${env["PAYMENTS"]}, which needs it`);
  if (env["PAYMENTS"] === "stripe") return missing(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]);
  if (env["PAYMENTS"] === "paddle") return missing(["PADDLE_API_KEY", "PADDLE_WEBHOOK_SECRET", "PADDLE_CLIENT_TOKEN"]);
  return env["NODE_ENV"] === "production" ? ["PAYMENTS: production does not use the payment sandbox; choose stripe or paddle"] : [];
}
