/** The settings: read from the environment once, with all problems reported together, then passed on as a typed object. */
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { z } from "zod";
import { engineNames, type EngineName } from "#contract/workspaces/engine-names.ts";
import { readBackupsUrl } from "#domain/backups/storage/read-backups-url.ts";
import type { Delivery } from "#contract/billing/delivered-features.ts";
import type { Seller } from "#domain/invoices/document/invoice-document.ts";
import {
  outsideProblems,
  outsideServices,
  readInvoiceServices,
  readOutsideServices,
  type AnalyticsSetting,
  type ChallengeSetting,
} from "./outside-services.ts";
import { paymentProblems, paymentSettings, readPayments } from "./payment-settings.ts";
import type { PaymentsSetting } from "#payments/providers.ts";
import { drivers, type DriverName } from "../choices/create-driver.ts";
import { readSecretFiles } from "./secret-files.ts";
import { lineProblems } from "./secure-lines.ts";
import { readSeller, sellerProblems, sellerSettings } from "./seller-settings.ts";
import { namesOf, optional, webAddress, withDefault } from "./setting-shapes.ts";

const roles = ["api", "worker", "gateway"] as const;
export type Role = (typeof roles)[number];

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, "");
const isBare = ({ pathname, search, hash, username, password }: URL) =>
  pathname === "/" && [search, hash, username, password].every((part) => part === "");
/** Workspaces have subdomains of the panel's host, and the panel's pages are at the root. */
const panelAddress = webAddress
  .refine((url) => isIP(hostOf(url)) === 0, "must have a host name such as localhost, not an IP address: workspaces get subdomains of it")
  .refine((url) => isBare(new URL(url)), "must contain only scheme, host and port");

const environment = z.object({
  NODE_ENV: withDefault(z.enum(["development", "production", "test"]), "development"),
  PORT: withDefault(z.coerce.number().int().min(1).max(65535), 3000),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(panelAddress),
  DATA_DIR: withDefault(z.string(), "./data"),
  ENGINES_DIR: optional(z.string()),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" })),
  ROLES: withDefault(
    z
      .string()
      .transform((list) => list.split(",").map((role) => role.trim()))
      .pipe(z.array(z.enum(roles)).min(1)),
    roles.join(","),
  ),
  ENGINE: withDefault(z.enum(engineNames), "n8n"),
  BACKUPS_URL: optional(
    z.string().superRefine((text, context) => {
      const place = readBackupsUrl(text);
      if (typeof place === "string") context.addIssue({ code: "custom", message: place });
    }),
  ),
  N8N_LICENSE_ACTIVATION_KEY: optional(z.string()),
  N8N_LICENSE_SERVER_URL: optional(webAddress),
  COMMUNITY_NODES: withDefault(z.enum(["none", "verified", "all"]), "verified"),
  DRIVER: withDefault(z.enum(namesOf(drivers)), "process"),
  SECRET_KEY: optional(z.string().min(32, "must have at least 32 characters")),
  SECRET_KEY_PREVIOUS: optional(z.string().min(32, "must have at least 32 characters")),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })),
  MAIL_FROM: withDefault(z.string(), "Slipway <no-reply@localhost>"),
  LOG_LEVEL: withDefault(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  TEMPLATES_URL: withDefault(
    z.union([z.literal("off"), z.url({ protocol: /^https?$/, error: "must be an http or https address, or off" })]),
    "https://api.n8n.io/api/",
  ),
  CALLS_PER_MINUTE: withDefault(z.coerce.number().int().min(1), 600),
  TRUSTED_PROXY_HOPS: withDefault(z.coerce.number().int().min(0).max(10), 0),
  WORKSPACE_MEMORY_MB: withDefault(z.coerce.number().int().min(512).max(65536), 1024),
  WORKSPACE_CPUS: withDefault(z.coerce.number().min(0.1).max(1024), 1),
  WORKSPACE_DISK_MB: withDefault(z.coerce.number().int().min(256).max(16_777_216), 5_120),
  HOST_DISK_FLOOR_MB: withDefault(z.coerce.number().int().min(0).max(16_777_216), 1_024),
  WORKSPACE_NAME_SERVERS: optional(
    z
      .string()
      .transform((list) => list.split(",").map((address) => address.trim()))
      .pipe(
        z
          .array(
            z
              .ipv4("must be IPv4 addresses of name servers, separated by commas")
              .refine((address) => !address.startsWith("127."), "must not be this host's loopback, which workspaces cannot reach"),
          )
          .min(1)
          .max(3),
      ),
  ),
  WORKSPACE_CLOSED_PORTS: withDefault(
    z
      .string()
      .transform((list) => (list === "none" ? [] : list.split(",").map((port) => Number(port.trim()))))
      .pipe(z.array(z.number("must be ports, separated by commas, or none").int().min(1).max(65535)).max(1000)),
    "25",
  ),
  WORKSPACE_CONNECTIONS: withDefault(z.coerce.number().int().min(64).max(1_000_000), 2_048),
  WORKSPACE_CONNECTIONS_PER_SECOND: withDefault(z.coerce.number().int().min(5).max(100_000), 100),
  INSTANCE_OPERATIONS: withDefault(z.enum(["on", "off"]), "on"),
  SUPPORT_EMAIL: withDefault(z.email("must be an e-mail address"), "support@example.com"),
  STATUS_URL: withDefault(webAddress, "https://status.example.com"),
  IMPRESSUM_URL: withDefault(webAddress, "https://example.com/impressum"),
  PRIVACY_URL: withDefault(webAddress, "https://example.com/privacy"),
  TERMS_URL: withDefault(webAddress, "https://example.com/terms"),
  TERMS_VERSION: z.string().max(100).default(""),
  PLANS_FILE: optional(z.string()),
  ...paymentSettings,
  ...sellerSettings,
  ...outsideServices,
});

/** n8n's own licence. */
export interface N8nLicense {
  activationKey: string;
  /** Where workspaces activate it; n8n's own server by default. */
  serverUrl?: string | undefined;
}

export interface Config {
  production: boolean;
  port: number;
  /** Addresses to listen on. */
  hosts: string[];
  publicUrl: string;
  /** Host and port of the panel; workspaces are one label below. */
  panelHost: string;
  secure: boolean;
  dataDir: string;
  enginesDir: string;
  databaseUrl: string | undefined;
  roles: ReadonlySet<Role>;
  engine: EngineName;
  /** A key of n8n's own licence, for workspaces of the plans that include it. */
  n8nLicense: N8nLicense | undefined;
  /** Which community nodes owners may install in n8n. */
  communityNodes: "none" | "verified" | "all";
  driver: DriverName;
  /** A bucket for backups; a folder in DATA_DIR if undefined. */
  backupsUrl: string | undefined;
  secretKey: string;
  /** The key that `secretKey` replaces, until everything is re-encrypted. */
  previousSecretKey: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  logLevel: z.infer<typeof environment>["LOG_LEVEL"];
  /** The template gallery that the editor shows, requested by the customer's browser; null: none. */
  templatesUrl: string | null;
  /** API calls per minute and address, for calls without a smaller limit. */
  callsPerMinute: number;
  trustedProxyHops: number;
  workspaceMemoryMb: number;
  /** CPUs that one workspace may use, if the host can enforce it. */
  workspaceCpus: number;
  /** Disk space of one workspace in MB, if the host can enforce it. */
  workspaceDiskMb: number;
  /** Free space in MB that the data folder's disk must keep: with less, no workspace is launched and /readyz fails. */
  hostDiskFloorMb: number;
  /** Name servers of workspaces; the host's if undefined. */
  workspaceNameServers: string[] | undefined;
  /** Network limits of one workspace, if the host can enforce them. */
  workspaceNetwork: { closedPorts: number[]; connections: number; connectionsPerSecond: number };
  /** Whether customers may launch, restart and change workspaces; off during the operator's maintenance. */
  instanceOperations: boolean;
  supportEmail: string;
  links: { status: string; impressum: string; privacy: string; terms: string };
  /** Recorded with each registration as the terms it agreed to. */
  termsVersion: string | null;
  payments: PaymentsSetting;
  /** The operator's plans; those included with the program if undefined. */
  plansFile: string | undefined;
  /** The seller on invoices. */
  seller: Seller;
  challenge: ChallengeSetting;
  /** The range service for leaked passwords, without a trailing slash; null: no check. */
  breachedPasswordsUrl: string | null;
  /** The service that verifies VAT ids; null: no check. */
  viesUrl: string | null;
  /** The source of exchange rates, for tax in the seller's currency; null: none. */
  exchangeRatesUrl: string | null;
  analytics: AnalyticsSetting;
  /** Where errors are reported; nowhere if undefined. */
  sentryDsn: string | undefined;
  /** The environment named in error reports. */
  sentryEnvironment: string;
}

/** Decides which of the plans' features these settings deliver. */
export const deliveryOf = ({ engine, n8nLicense }: Config): Delivery => ({ engine, n8nLicense: n8nLicense !== undefined });

/** The settings are invalid; `problems` has a line for each problem. */
export class ConfigInvalid extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigInvalid";
    this.problems = problems;
  }
}

/** Reads the settings; throws ConfigInvalid with every problem found. Creates DATA_DIR and, outside production, its secret key. */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const { env, problems } = readSecretFiles(given);
  const parsed = environment.safeParse(env);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  if (env["NODE_ENV"] === "production") problems.push(...productionProblems(env), ...lineProblems(env));
  problems.push(...outsideProblems(env), ...sellerProblems(env), ...paymentProblems(env));
  if (!parsed.success || problems.length > 0) throw new ConfigInvalid(problems);

  const settings = parsed.data;
  const dataDir = resolve(settings.DATA_DIR);
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`;
  const production = settings.NODE_ENV === "production";
  return {
    production,
    port: settings.PORT,
    // A developer's machine listens only locally; a server listens on every interface.
    hosts: settings.HOST ? [settings.HOST] : production ? ["::"] : ["127.0.0.1", "::1"],
    publicUrl,
    panelHost: new URL(publicUrl).host,
    secure: publicUrl.startsWith("https:"),
    dataDir,
    enginesDir: resolve(settings.ENGINES_DIR ?? join(dataDir, "engines")),
    databaseUrl: settings.DATABASE_URL,
    roles: new Set(settings.ROLES),
    engine: settings.ENGINE,
    n8nLicense: settings.N8N_LICENSE_ACTIVATION_KEY
      ? { activationKey: settings.N8N_LICENSE_ACTIVATION_KEY, serverUrl: settings.N8N_LICENSE_SERVER_URL }
      : undefined,
    communityNodes: settings.COMMUNITY_NODES,
    driver: settings.DRIVER,
    backupsUrl: settings.BACKUPS_URL,
    secretKey: settings.SECRET_KEY ?? developmentSecretKey(dataDir),
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    logLevel: settings.LOG_LEVEL,
    templatesUrl: settings.TEMPLATES_URL === "off" ? null : settings.TEMPLATES_URL,
    callsPerMinute: settings.CALLS_PER_MINUTE,
    trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
    workspaceMemoryMb: settings.WORKSPACE_MEMORY_MB,
    workspaceCpus: settings.WORKSPACE_CPUS,
    workspaceDiskMb: settings.WORKSPACE_DISK_MB,
    hostDiskFloorMb: settings.HOST_DISK_FLOOR_MB,
    workspaceNameServers: settings.WORKSPACE_NAME_SERVERS,
    workspaceNetwork: {
      closedPorts: settings.WORKSPACE_CLOSED_PORTS,
      connections: settings.WORKSPACE_CONNECTIONS,
      connectionsPerSecond: settings.WORKSPACE_CONNECTIONS_PER_SECOND,
    },
    instanceOperations: settings.INSTANCE_OPERATIONS === "on",
    supportEmail: settings.SUPPORT_EMAIL,
    links: { status: settings.STATUS_URL, impressum: settings.IMPRESSUM_URL, privacy: settings.PRIVACY_URL, terms: settings.TERMS_URL },
    termsVersion: settings.TERMS_VERSION || settings.TERMS_URL || null,
    payments: readPayments(settings),
    plansFile: settings.PLANS_FILE ? resolve(settings.PLANS_FILE) : undefined,
    seller: readSeller(settings, settings.SUPPORT_EMAIL),
    ...readOutsideServices(settings),
    ...readInvoiceServices(settings),
    sentryEnvironment: settings.SENTRY_ENVIRONMENT ?? (production ? "production" : "development"),
  };
}

/** Settings that production requires. */
function productionProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  if (!env["SECRET_KEY"]) problems.push("SECRET_KEY: production needs a secret key of at least 32 characters");
  if (!env["SMTP_URL"]) problems.push("SMTP_URL: production does not use the development inbox");
  const publicUrl = env["PUBLIC_URL"];
  if (!publicUrl) problems.push("PUBLIC_URL: production needs the address customers use");
  else if (/^http:/i.test(publicUrl) && !/^http:\/\/([^/:]+\.)?localhost([:/]|$)/i.test(publicUrl))
    problems.push(
      "PUBLIC_URL: production needs https: over http, passwords and sessions can be read in transit, and workspaces can set the panel's cookies",
    );
  return problems;
}

/** The data folder's own key, readable only by its owner. Every start gets the same one, even two starts at the same time. */
function developmentSecretKey(dataDir: string): string {
  const file = join(dataDir, "secret-key");
  let key: string;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    if (!existsSync(file)) placeSecretKey(file);
    key = readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ConfigInvalid([
      `DATA_DIR: the folder ${dataDir} cannot be used (${code}). Make it writable for this user, or choose another folder`,
    ]);
  }
  if (key.length >= 32) return key;
  throw new ConfigInvalid([
    `SECRET_KEY: the key in ${file} is damaged. Restore the file: what is encrypted in the database can't be read without it`,
  ]);
}

/** Names the file only once it is complete, so that a concurrent start, or one after a crash, never reads half a key. */
function placeSecretKey(file: string): void {
  const beside = `${file}.new-${randomBytes(4).toString("hex")}`;
  try {
    writeFileSync(beside, randomBytes(32).toString("base64url"), { mode: 0o600, flag: "wx" });
    linkSync(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}
