/** Every setting by its name in the environment: its shape, its default, and what production requires. */
import { isIP } from "node:net";
import { z } from "zod";
import { closedAccountDays, lastBackupDays } from "#contract/billing/plans/plan-days.ts";
import { defaultEngine, engineNames } from "#contract/workspaces/engine-names.ts";
import { defaultRefundLimit } from "#domain/billing/refund-limit.ts";
import { readBackupsUrl } from "#domain/backups/storage/read-backups-url.ts";
import { hostNameShape, mainHost } from "#domain/workspaces/hosts/host-names.ts";
import { poolSizes } from "#platform/database.ts";
import { alertSettings } from "./alert-settings.ts";
import { clusterSettings } from "./cluster-settings.ts";
import { outsideServices } from "./outside-services.ts";
import { paymentSettings } from "./payment-settings.ts";
import { drivers } from "../choices/create-driver.ts";
import { serviceSettings } from "./service-settings.ts";
import { sellerSettings } from "./seller-settings.ts";
import { traceSettings } from "./trace-settings.ts";
import { commaList, namesOf, optional, webAddress, withDefault } from "./setting-shapes.ts";
import { isRegistrySuffix } from "./site-of.ts";

export const allRoles = ["api", "worker", "gateway"] as const;

export type Role = (typeof allRoles)[number];

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, "");

const isBare = ({ pathname, search, hash, username, password }: URL) =>
  pathname === "/" && [search, hash, username, password].every((part) => part === "");

/** Workspaces have subdomains of the panel's host, and the panel's pages are at the root. */
const panelAddress = webAddress
  .refine(
    (url) => isIP(hostOf(url)) === 0,
    "must have a host name such as localhost, not an IP address, because workspaces get subdomains of it",
  )
  .refine((url) => isBare(new URL(url)), "must contain only scheme, host and port")
  .refine(
    (url) => !isRegistrySuffix(new URL(url).hostname),
    "must not be a public suffix such as co.uk, below which everyone can register names; use a domain of your own below it",
  );

/** The gateways of all hosts read it: an address that they can't parse must not get into the database. */
function isHostAddress(text: string): boolean {
  return /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/i.test(text) && URL.canParse(`http://${text}`);
}

const poolSize =
  `must be a whole number from ${poolSizes.smallest} to ${poolSizes.largest}: with fewer connections work waits for itself, ` +
  "and with more one process uses up PostgreSQL's default of 100";

export const environment = z.object({
  NODE_ENV: withDefault(z.enum(["development", "production", "test"]), "development"),
  PORT: withDefault(z.coerce.number().int().min(1).max(65535), 3000),
  HOST: optional(z.string()),
  PUBLIC_URL: optional(panelAddress),
  ...serviceSettings,
  DATA_DIR: withDefault(z.string(), "./data"),
  ENGINES_DIR: optional(z.string()),
  DATABASE_URL: optional(z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" })),
  DATABASE_POOL_MAX: withDefault(
    z.coerce.number(poolSize).int(poolSize).min(poolSizes.smallest, poolSize).max(poolSizes.largest, poolSize),
    poolSizes.usual,
  ),
  MIGRATIONS: withDefault(z.enum(["at-start", "job"]), "at-start"),
  GATEWAY_URL: optional(webAddress.refine((url) => isBare(new URL(url)), "must contain only scheme, host and port")),
  HOST_NAME: withDefault(z.string().regex(hostNameShape, "must be lower-case letters, digits and hyphens, at most 32"), mainHost),
  HOST_ADDRESS: optional(z.string().refine(isHostAddress, "must be host:port, such as 10.0.0.5:3000")),
  ROLES: withDefault(commaList.pipe(z.array(z.enum(allRoles)).min(1)), allRoles.join(",")),
  ENGINE: withDefault(z.enum(engineNames), defaultEngine),
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
  DOCKER_SOCKET: withDefault(
    z
      .string()
      .startsWith("/", "must be the absolute path of a socket")
      // Linux allows 107 bytes, macOS 103.
      .refine((path) => Buffer.byteLength(path) <= 103, "is longer than the path of a socket may be (103 bytes); use a link to it"),
    "/var/run/docker.sock",
  ),
  SECRET_KEY: optional(z.string().min(32, "must have at least 32 characters")),
  SECRET_KEY_PREVIOUS: optional(z.string().min(32, "must have at least 32 characters")),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" })),
  MAIL_FROM: withDefault(z.string(), "Slipway <no-reply@localhost>"),
  DRAIN_SECONDS: withDefault(z.coerce.number().int().min(0).max(600), 0),
  METRICS_PORT: optional(z.coerce.number().int().min(1).max(65535)),
  METRICS_HOST: withDefault(z.string(), "127.0.0.1"),
  CERTIFICATES_PORT: optional(z.coerce.number().int().min(1).max(65535)),
  CERTIFICATES_HOST: withDefault(z.string(), "127.0.0.1"),
  // Let's Encrypt grants 50 to a registered domain, some of which the panel and the operator's other hosts need.
  CERTIFICATES_PER_WEEK: withDefault(z.coerce.number().int().min(0).max(1_000_000), 40),
  LOG_LEVEL: withDefault(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]), "info"),
  TEMPLATES_URL: withDefault(
    z.union([z.literal("off"), z.url({ protocol: /^https?$/, error: "must be an http or https address, or off" })]),
    "https://api.n8n.io/api/",
  ),
  CALLS_PER_MINUTE: withDefault(z.coerce.number().int().min(1), 600),
  // A course or an office registers at once; a script registers all day.
  REGISTRATIONS_PER_DAY: withDefault(z.coerce.number().int().min(1).max(1_000_000), 50),
  // No shorter than two days: a confirmation link is valid for one.
  UNCONFIRMED_DAYS: withDefault(z.coerce.number().int().min(2).max(3_650), 14),
  TRUSTED_PROXY_HOPS: withDefault(z.coerce.number().int().min(0).max(10), 0),
  WORKSPACE_MEMORY_MB: withDefault(z.coerce.number().int().min(512).max(65536), 1024),
  REFUND_LIMIT: withDefault(z.coerce.number().int().min(0).max(1_000_000), defaultRefundLimit),
  LAST_BACKUP_DAYS: withDefault(z.coerce.number().int().min(1).max(3650), lastBackupDays),
  CLOSED_ACCOUNT_DAYS: withDefault(z.coerce.number().int().min(1).max(3650), closedAccountDays),
  // Laws that ask for such a notice name between 15 and 45 days (California's Business and Professions Code §17602).
  RENEWAL_NOTICE_DAYS: withDefault(z.coerce.number().int().min(0).max(90), 30),
  WORKSPACE_CPUS: withDefault(z.coerce.number().min(0.1).max(1024), 1),
  WORKSPACE_DISK_MB: withDefault(z.coerce.number().int().min(256).max(16_777_216), 5_120),
  HOST_DISK_FLOOR_MB: withDefault(z.coerce.number().int().min(0).max(16_777_216), 1_024),
  WORKSPACE_ZRAM_MB: optional(z.coerce.number().int().min(0).max(16_777_216)),
  WORKSPACE_SWAP_ON_DISK: withDefault(z.enum(["refused", "accepted"]), "refused"),
  WORKSPACE_SLEEP: withDefault(z.enum(["auto", "off"]), "auto"),
  WORKSPACE_FINISH_SECONDS: withDefault(z.coerce.number().int().min(0).max(3_600), 120),
  WORKSPACE_POOL: withDefault(z.union([z.literal("auto"), z.coerce.number("must be a number, or auto").int().min(0).max(1000)]), "auto"),
  WORKSPACE_NAME_SERVERS: optional(
    commaList.pipe(
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
  FRONT_PAGE: withDefault(z.enum(["on", "off"]), "off"),
  STATUS_URL: withDefault(webAddress, "https://status.example.com"),
  IMPRESSUM_URL: withDefault(webAddress, "https://example.com/impressum"),
  PRIVACY_URL: withDefault(webAddress, "https://example.com/privacy"),
  TERMS_URL: withDefault(webAddress, "https://example.com/terms"),
  TERMS_VERSION: z.string().max(100).default(""),
  PLANS_FILE: optional(z.string()),
  ...alertSettings,
  ...clusterSettings,
  ...paymentSettings,
  ...sellerSettings,
  ...outsideServices,
  ...traceSettings,
});

/** The settings are invalid; `problems` has a line for each problem. */
export class ConfigInvalid extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigInvalid";
    this.problems = problems;
  }
}

/** Settings that cannot be used together. */
export function clashProblems(settings: z.infer<typeof environment>): string[] {
  const { PORT, METRICS_PORT, CERTIFICATES_PORT } = settings;
  const problems: string[] = [];
  if (METRICS_PORT === PORT) problems.push(`METRICS_PORT: ${PORT} is the service's port (PORT); metrics need a separate port`);
  if (CERTIFICATES_PORT === PORT)
    problems.push(`CERTIFICATES_PORT: ${PORT} is the service's port (PORT); the proxy needs a separate port for its requests`);
  if (CERTIFICATES_PORT !== undefined && CERTIFICATES_PORT === METRICS_PORT)
    problems.push(`CERTIFICATES_PORT: ${CERTIFICATES_PORT} is the metrics port (METRICS_PORT)`);
  if (settings.CLOSED_ACCOUNT_DAYS > settings.LAST_BACKUP_DAYS)
    problems.push("CLOSED_ACCOUNT_DAYS: a reopened account comes back with its last backup, which is kept for LAST_BACKUP_DAYS only");
  if (settings.HOST_NAME === mainHost) return problems;
  if (!drivers[settings.DRIVER].allowsSeveralHosts) {
    const able = namesOf(drivers).filter((name) => drivers[name].allowsSeveralHosts);
    problems.push(`HOST_NAME: only DRIVER=${able.join(" or ")} runs workspaces on several hosts`);
  }
  if (!settings.DATABASE_URL) problems.push("HOST_NAME: several hosts share one database, which DATABASE_URL names");
  if (!settings.BACKUPS_URL)
    problems.push("HOST_NAME: workspaces move between hosts through their backups, which need a bucket (BACKUPS_URL)");
  if (!settings.HOST_ADDRESS) problems.push("HOST_NAME: the other hosts' gateways need to reach this one's (HOST_ADDRESS)");
  return problems;
}

/** Settings that production requires. */
export function productionProblems(env: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  if (!env["SECRET_KEY"]) problems.push("SECRET_KEY: production needs a secret key of at least 32 characters");
  if (!env["SMTP_URL"]) problems.push("SMTP_URL: production does not use the development inbox");
  const publicUrl = env["PUBLIC_URL"];
  if (!publicUrl) problems.push("PUBLIC_URL: production needs the address customers use");
  else if (/^http:/i.test(publicUrl) && !/^http:\/\/([^/:]+\.)?localhost([:/]|$)/i.test(publicUrl))
    problems.push(
      "PUBLIC_URL: production needs https: over http, passwords and sessions can be read in transit, and workspaces can set the panel's cookies",
    );
  const roles = commaList.parse(env["ROLES"] ?? "");
  if (!env["BACKUPS_URL"] && roles.includes("api") !== roles.includes("worker"))
    problems.push("BACKUPS_URL: api and worker in separate processes need a bucket, because each has its own data folder");
  return problems;
}
