/** The settings: read from the environment once, with all problems reported together, then passed on as a typed object. */
import { join, resolve } from "node:path";
import { z } from "zod";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Delivery } from "#contract/billing/plans/delivered-features.ts";
import type { Seller } from "#domain/invoices/document/invoice-document.ts";
import {
  outsideProblems,
  readInvoiceServices,
  readOutsideServices,
  type AnalyticsSetting,
  type ChallengeSetting,
} from "./outside-services.ts";
import { alertProblems, readAlerts, type AlertSetting } from "./alert-settings.ts";
import { clusterProblems, readCluster, type ClusterSetting } from "./cluster-settings.ts";
import { paymentProblems, readPayments } from "./payment-settings.ts";
import type { PaymentsSetting } from "#payments/providers.ts";
import type { TracesSetting } from "#platform/tracing/export-spans.ts";
import { serviceAddresses, type ServiceUrls } from "../../api/service-urls.ts";
import type { DriverName } from "../choices/create-driver.ts";
import { readSecretFiles } from "./secret-files.ts";
import { lineProblems } from "./secure-lines.ts";
import { readServiceUrls, serviceProblems } from "./service-settings.ts";
import { readSeller, sellerProblems } from "./seller-settings.ts";
import { readTraces } from "./trace-settings.ts";
import { allRoles, type Role, clashProblems, environment, ConfigInvalid, productionProblems } from "./environment.ts";
import { developmentSecretKey } from "./development-secret-key.ts";

/** n8n's own license. */
interface N8nLicense {
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
  /** Where the panel finds the API and its parts. */
  serviceUrls: ServiceUrls;
  /** Names of further hosts at which the API answers. */
  apiHosts: string[];
  secure: boolean;
  dataDir: string;
  enginesDir: string;
  databaseUrl: string | undefined;
  /** The most connections in this process's pool. */
  databasePoolMax: number;
  /** Whether this process applies missing migrations; otherwise it waits until `npm run ops -- migrate` has. */
  migratesAtStart: boolean;
  /** Where a worker finds a gateway of another process; PUBLIC_URL if undefined. */
  gatewayUrl: string | undefined;
  /** The host whose workspaces this process's worker and gateway serve. */
  hostName: string;
  /** `host:port` at which other hosts' gateways reach this host's; null: they cannot. */
  hostAddress: string | null;
  roles: ReadonlySet<Role>;
  engine: EngineName;
  /** A key of n8n's own license, for workspaces of the plans that include it. */
  n8nLicense: N8nLicense | undefined;
  /** Which community nodes owners may install in n8n. */
  communityNodes: "none" | "verified" | "all";
  driver: DriverName;
  /** Where DRIVER=kubernetes runs workspaces. */
  cluster: ClusterSetting;
  /** The socket of Docker or Podman, for that driver. */
  dockerSocket: string;
  /** A bucket for backups; a folder in DATA_DIR if undefined. */
  backupsUrl: string | undefined;
  secretKey: string;
  /** The key that `secretKey` replaces, until everything is re-encrypted. */
  previousSecretKey: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  logLevel: z.infer<typeof environment>["LOG_LEVEL"];
  /** How long a process that a supervisor ends keeps answering after /readyz fails, so that load balancers turn away from it first. */
  drainSeconds: number;
  /** Where metrics are served; null: nowhere. */
  metrics: { host: string; port: number } | null;
  /** Where the program itself sends alarms; null: nowhere. */
  alerts: AlertSetting | null;
  /** Where traces are exported; null: nothing is traced. */
  traces: TracesSetting | null;
  /** Where a proxy asks which host names may have a certificate, and how many new ones a week may; null: nowhere. */
  certificates: { host: string; port: number; perWeek: number } | null;
  /** The template gallery that the editor shows, requested by the customer's browser; null: none. */
  templatesUrl: string | null;
  /** API calls per minute of a session, a known browser or an address, for calls without a smaller limit. */
  callsPerMinute: number;
  /** Accounts that may be registered in a day from one address. */
  registrationsPerDay: number;
  /** After this many days, an account without a confirmed address, a workspace or a payment ends. */
  unconfirmedDays: number;
  trustedProxyHops: number;
  workspaceMemoryMb: number;
  /** How long the last backup of a deleted workspace is kept. */
  lastBackupDays: number;
  /** How long a closed account can be reopened, in days. */
  closedAccountDays: number;
  /** The largest refund without a person's yes, in units of the currency. */
  refundLimit: number;
  /** How long before a yearly renewal its owner is told; 0: never. */
  renewalNoticeDays: number;
  /** CPUs that one workspace may use, if the host can enforce it. */
  workspaceCpus: number;
  /** Disk space of one workspace in MB, if the host can enforce it. */
  workspaceDiskMb: number;
  /** Free space in MB that the data folder's disk must keep: with less, no workspace is launched and /readyz fails. */
  hostDiskFloorMb: number;
  /** MB of compressed swap to set up where a host has no swap; undefined: as many as the host has memory. */
  workspaceZramMb: number | undefined;
  /** Frozen workspaces' memory may be written to a disk that is not known to be encrypted. */
  acceptsSwapOnDisk: boolean;
  /** Whether idle workspaces fall asleep. `auto`: frozen where the driver can, and otherwise by stopping. */
  workspaceSleep: "auto" | "off";
  /** How long a change that restarts a workspace waits for running executions. */
  workspaceFinishSeconds: number;
  /** The most workspaces that are started in advance of launches; 0: none. `auto`: depends on the host's memory. */
  workspacePool: number | "auto";
  /** Name servers of workspaces; the host's if undefined. */
  workspaceNameServers: string[] | undefined;
  /** Network limits of one workspace, if the host can enforce them. */
  workspaceNetwork: { closedPorts: number[]; connections: number; connectionsPerSecond: number };
  /** Whether customers may launch, restart and change workspaces; off during the operator's maintenance. */
  instanceOperations: boolean;
  supportEmail: string;
  /** Whether `/` shows visitors the product and its plans; otherwise it redirects them to the sign-in page. */
  hasFrontPage: boolean;
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

/** Whether this process has every role. Others may have them as well. */
export const isAllInOne = ({ roles }: Pick<Config, "roles">): boolean => allRoles.every((role) => roles.has(role));

/** Mails without a mail server can be read in the panel, but not in production. */
export const hasDevelopmentInbox = ({ production, smtpUrl }: Config): boolean => !production && !smtpUrl;

/** While the payment sandbox is on nothing is sold: `staging`, which production refuses to be. */
function environmentName(production: boolean, payments: z.infer<typeof environment>["PAYMENTS"]): string {
  if (payments === "sandbox") return "staging";
  return production ? "production" : "development";
}

const publicUrlOf = ({ PUBLIC_URL, PORT }: Pick<z.infer<typeof environment>, "PUBLIC_URL" | "PORT">): string =>
  PUBLIC_URL ?? `http://localhost:${PORT}`;

/** Reads the settings; throws ConfigInvalid with every problem found. Creates DATA_DIR and, outside production, its secret key. */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const { env, problems } = readSecretFiles(given);
  const parsed = environment.safeParse(env);
  if (!parsed.success) problems.push(...parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  if (env["NODE_ENV"] === "production") problems.push(...productionProblems(env), ...lineProblems(env));
  problems.push(...outsideProblems(env), ...sellerProblems(env), ...paymentProblems(env), ...clusterProblems(env), ...alertProblems(env));
  if (parsed.success) problems.push(...clashProblems(parsed.data), ...serviceProblems(parsed.data, publicUrlOf(parsed.data)));
  if (!parsed.success || problems.length > 0) throw new ConfigInvalid(problems);

  const settings = parsed.data;
  const dataDir = resolve(settings.DATA_DIR);
  const publicUrl = publicUrlOf(settings);
  const serviceUrls = readServiceUrls(settings, publicUrl);
  const production = settings.NODE_ENV === "production";
  return {
    production,
    port: settings.PORT,
    // A developer's machine listens only locally; a server listens on every interface.
    hosts: settings.HOST ? [settings.HOST] : production ? ["::"] : ["127.0.0.1", "::1"],
    publicUrl,
    panelHost: new URL(publicUrl).host,
    serviceUrls,
    apiHosts: serviceAddresses(publicUrl, serviceUrls).otherHosts,
    secure: publicUrl.startsWith("https:"),
    dataDir,
    enginesDir: resolve(settings.ENGINES_DIR ?? join(dataDir, "engines")),
    databaseUrl: settings.DATABASE_URL,
    databasePoolMax: settings.DATABASE_POOL_MAX,
    migratesAtStart: settings.MIGRATIONS === "at-start",
    gatewayUrl: settings.GATEWAY_URL,
    hostName: settings.HOST_NAME,
    hostAddress: settings.HOST_ADDRESS ?? null,
    roles: new Set(settings.ROLES),
    engine: settings.ENGINE,
    n8nLicense: settings.N8N_LICENSE_ACTIVATION_KEY
      ? { activationKey: settings.N8N_LICENSE_ACTIVATION_KEY, serverUrl: settings.N8N_LICENSE_SERVER_URL }
      : undefined,
    communityNodes: settings.COMMUNITY_NODES,
    driver: settings.DRIVER,
    cluster: readCluster(settings),
    dockerSocket: settings.DOCKER_SOCKET,
    backupsUrl: settings.BACKUPS_URL,
    secretKey: settings.SECRET_KEY ?? developmentSecretKey(dataDir),
    previousSecretKey: settings.SECRET_KEY_PREVIOUS,
    smtpUrl: settings.SMTP_URL,
    mailFrom: settings.MAIL_FROM,
    logLevel: settings.LOG_LEVEL,
    drainSeconds: settings.DRAIN_SECONDS,
    metrics: settings.METRICS_PORT ? { host: settings.METRICS_HOST, port: settings.METRICS_PORT } : null,
    alerts: readAlerts(settings),
    traces: readTraces(settings),
    certificates: settings.CERTIFICATES_PORT
      ? { host: settings.CERTIFICATES_HOST, port: settings.CERTIFICATES_PORT, perWeek: settings.CERTIFICATES_PER_WEEK }
      : null,
    templatesUrl: settings.TEMPLATES_URL === "off" ? null : settings.TEMPLATES_URL,
    callsPerMinute: settings.CALLS_PER_MINUTE,
    registrationsPerDay: settings.REGISTRATIONS_PER_DAY,
    unconfirmedDays: settings.UNCONFIRMED_DAYS,
    trustedProxyHops: settings.TRUSTED_PROXY_HOPS,
    workspaceMemoryMb: settings.WORKSPACE_MEMORY_MB,
    refundLimit: settings.REFUND_LIMIT,
    lastBackupDays: settings.LAST_BACKUP_DAYS,
    closedAccountDays: settings.CLOSED_ACCOUNT_DAYS,
    renewalNoticeDays: settings.RENEWAL_NOTICE_DAYS,
    workspaceCpus: settings.WORKSPACE_CPUS,
    workspaceDiskMb: settings.WORKSPACE_DISK_MB,
    hostDiskFloorMb: settings.HOST_DISK_FLOOR_MB,
    workspaceZramMb: settings.WORKSPACE_ZRAM_MB,
    acceptsSwapOnDisk: settings.WORKSPACE_SWAP_ON_DISK === "accepted",
    workspaceSleep: settings.WORKSPACE_SLEEP,
    workspaceFinishSeconds: settings.WORKSPACE_FINISH_SECONDS,
    workspacePool: settings.WORKSPACE_POOL,
    workspaceNameServers: settings.WORKSPACE_NAME_SERVERS,
    workspaceNetwork: {
      closedPorts: settings.WORKSPACE_CLOSED_PORTS,
      connections: settings.WORKSPACE_CONNECTIONS,
      connectionsPerSecond: settings.WORKSPACE_CONNECTIONS_PER_SECOND,
    },
    instanceOperations: settings.INSTANCE_OPERATIONS === "on",
    supportEmail: settings.SUPPORT_EMAIL,
    hasFrontPage: settings.FRONT_PAGE === "on",
    links: { status: settings.STATUS_URL, impressum: settings.IMPRESSUM_URL, privacy: settings.PRIVACY_URL, terms: settings.TERMS_URL },
    termsVersion: settings.TERMS_VERSION || settings.TERMS_URL || null,
    payments: readPayments(settings),
    plansFile: settings.PLANS_FILE ? resolve(settings.PLANS_FILE) : undefined,
    seller: readSeller(settings, settings.SUPPORT_EMAIL),
    ...readOutsideServices(settings),
    ...readInvoiceServices(settings),
    sentryEnvironment: settings.SENTRY_ENVIRONMENT ?? environmentName(production, settings.PAYMENTS),
  };
}
