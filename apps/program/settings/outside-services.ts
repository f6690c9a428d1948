/** Settings of the sign-up challenge and of third-party services that the panel may use, which are off by default. */
import { providers, type ProviderName } from "#payments/providers.ts";
import { z } from "zod";
import { optional, webAddress, withDefault } from "./setting-shapes.ts";

const siteverify = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

/** Requests append to its path, and fetch accepts no URL with credentials. */
const bareAddress = webAddress.refine((url) => {
  const { search, hash, username, password } = new URL(url);
  return [search, hash, username, password].every((part) => part === "");
});

const addressOrOff = z.union([z.literal("off"), bareAddress], "must be an http or https address without name, password, ? and #, or off");

/** Ninety days of rates, so that an invoice copied late gets the rate of the day it was issued. */
const centralBank = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml";

export const outsideServices = {
  CHALLENGE: withDefault(z.enum(["altcha", "turnstile", "off"]), "altcha"),
  ALTCHA_MAX_NUMBER: withDefault(z.coerce.number().int().min(1).max(1_000_000), 1000),
  TURNSTILE_SITE_KEY: optional(z.string()),
  TURNSTILE_SECRET_KEY: optional(z.string()),
  TURNSTILE_VERIFY_URL: withDefault(webAddress, siteverify),
  BREACHED_PASSWORDS_URL: withDefault(addressOrOff, "off"),
  VIES_URL: withDefault(addressOrOff, "off"),
  EXCHANGE_RATES_URL: optional(addressOrOff),
  POSTHOG_KEY: optional(z.string().regex(/^[\w-]+$/, "must be a project key, such as phc_…")),
  POSTHOG_HOST: withDefault(webAddress, "https://us.i.posthog.com"),
  GTM_ID: optional(z.string().regex(/^GTM-[A-Z0-9]+$/, "must be a container's id, such as GTM-ABC123")),
  SENTRY_DSN: optional(
    z
      .url({ protocol: /^https?$/, error: "must be a DSN, such as https://key@host/1" })
      .refine(hasKeyAndProject, "must be a DSN, such as https://key@host/1"),
  ),
  SENTRY_ENVIRONMENT: optional(z.string().regex(/^[\w-]{1,64}$/, "must be a word, such as staging")),
};

type Settings = z.infer<z.ZodObject<typeof outsideServices>>;

/**
 * Services that invoices need; null: not used. In production a seller needs exchange rates; on a developer's machine
 * there are no requests by default.
 */
export function readInvoiceServices(settings: Settings & { NODE_ENV: string; PAYMENTS: ProviderName }): {
  viesUrl: string | null;
  exchangeRatesUrl: string | null;
} {
  const rates =
    settings.EXCHANGE_RATES_URL ?? (settings.NODE_ENV === "production" && !providers[settings.PAYMENTS].isSeller ? centralBank : "off");
  return { viesUrl: settings.VIES_URL === "off" ? null : settings.VIES_URL, exchangeRatesUrl: rates === "off" ? null : rates };
}

/** How a visitor proves not to be a bot. */
export type ChallengeSetting =
  | { kind: "altcha"; maxNumber: number }
  | { kind: "turnstile"; siteKey: string; secretKey: string; verifyUrl: string }
  | { kind: "off" };

export interface AnalyticsSetting {
  postHog: { key: string; host: string } | null;
  tagManager: { id: string } | null;
}

/** The typed settings. Call it only if `outsideProblems` found no problem. */
export function readOutsideServices(settings: Settings): {
  challenge: ChallengeSetting;
  breachedPasswordsUrl: string | null;
  analytics: AnalyticsSetting;
  sentryDsn: string | undefined;
} {
  return {
    challenge: readChallenge(settings),
    breachedPasswordsUrl: settings.BREACHED_PASSWORDS_URL === "off" ? null : settings.BREACHED_PASSWORDS_URL,
    analytics: {
      postHog: settings.POSTHOG_KEY ? { key: settings.POSTHOG_KEY, host: settings.POSTHOG_HOST } : null,
      tagManager: settings.GTM_ID ? { id: settings.GTM_ID } : null,
    },
    sentryDsn: settings.SENTRY_DSN,
  };
}

/** A line for each missing setting that another one requires. */
export function outsideProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  if (env["CHALLENGE"] !== "turnstile") return [];
  return ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"]
    .filter((name) => !env[name])
    .map((name) => `${name}: required by CHALLENGE=turnstile`);
}

function readChallenge(settings: Settings): ChallengeSetting {
  const {
    CHALLENGE: kind,
    TURNSTILE_SITE_KEY: siteKey = "",
    TURNSTILE_SECRET_KEY: secretKey = "",
    TURNSTILE_VERIFY_URL: verifyUrl,
  } = settings;
  if (kind === "turnstile") return { kind, siteKey, secretKey, verifyUrl };
  return kind === "altcha" ? { kind, maxNumber: settings.ALTCHA_MAX_NUMBER } : { kind };
}

function hasKeyAndProject(dsn: string): boolean {
  const { username, pathname } = new URL(dsn);
  return username !== "" && /\/\d+$/.test(pathname);
}
