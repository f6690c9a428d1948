/** The dependencies of all journeys, and the type of the functions that mount their calls. */
import type { Delivery } from "#contract/billing/plans/delivered-features.ts";
import type { EngineName } from "#contract/workspaces/engine-names.ts";
import type { Clock } from "#platform/clock.ts";
import type { Database } from "#platform/database.ts";
import type { SessionCookie } from "#platform/http/session-cookie.ts";
import type { Mount as MountOf } from "#platform/http/mount.ts";
import type { Log } from "#platform/log.ts";
import type { Secrets } from "#platform/secrets.ts";
import type { Billing } from "#domain/billing/billing.ts";
import type { Stored } from "#domain/backups/sealed/unseal-stored.ts";
import type { Challenge } from "#domain/challenges/challenge.ts";
import type { PasswordRules } from "#domain/passwords/password-rules.ts";
import type { OwnerSetting } from "#domain/workspaces/settings/workspace-variables.ts";
import type { OfferedRelease } from "#domain/workspaces/offered-release.ts";
import type { NodeCatalogue } from "#domain/node-catalogue/create-node-catalogue.ts";
import type { TimeTravel } from "./move-clock/move-clock.ts";
import type { OutputWatch } from "./look-into-workspace/output-watch.ts";
import type { WorkspaceWatch } from "./watch-workspace/workspace-watch.ts";
import type { CurrentUser } from "./signed-in/current-user-query.ts";

export type Mount = MountOf<CurrentUser>;

/** A sign-in code as a workspace wrote it; untrusted until `isSignedWith` confirms it. */
export interface WorkspaceCode {
  workspaceId: string;
  /** Chosen by the workspace; used once. */
  id: string;
  /** By the machine's clock: the service's clock may have been moved. */
  ageMs: number;
  /** Whether it was signed with the key of the workspace that has these secrets. */
  isSignedWith(secrets: Readonly<Record<string, string>>): boolean;
}

/** A new workspace's defaults as the sign-up decides them; the engine's part comes from the provisioner. */
interface WorkspaceDefaults {
  engine: EngineName;
  engineName: string;
  /** The version of a new workspace. */
  version: string;
  /** Versions that workspaces can be changed to, newest first. */
  releases: readonly OfferedRelease[];
  memoryMb: number;
  /** Processors that a workspace may use, and what it may store. */
  cpus: number;
  diskMb: number;
  /** Whether the engine exports workflows as files. */
  hasExports: boolean;
  /** Whether owners may add community nodes. */
  hasCommunityNodes: boolean;
  /** Settings of the tool that owners may choose. */
  settings: readonly OwnerSetting[];
  /** Whether other variables take effect while the tool runs; otherwise each change restarts it. */
  takesVariablesRunning: boolean;
  createSecrets: () => Record<string, string>;
  /** Path and query that sign the owner in to their workspace, once, within 60 s. */
  loginPath: (workspaceId: string, landingPath: string) => string;
  /** The code, if it is of the kind that workspaces write. */
  readLoginCode: (code: string) => WorkspaceCode | null;
}

export interface Services {
  db: Database;
  clock: Clock;
  log: Log;
  secrets: Secrets;
  /** Where backups and exports are stored, and how they are opened. */
  stored: Stored;
  publicUrl: string;
  /** Where the panel finds the API; by default below `/api` of `publicUrl`. */
  apiUrl?: string;
  cookie: SessionCookie;
  /** The challenge that each registration must solve. */
  challenge: Challenge;
  /** Accounts that may be registered in a day from one address. */
  registrationsPerDay: number;
  /** The rules for chosen passwords. */
  passwords: PasswordRules;
  workspace: WorkspaceDefaults;
  watch: WorkspaceWatch;
  outputWatch: OutputWatch;
  billing: Billing;
  /** Decides which of the plans' labels are delivered. */
  delivery: Delivery;
  /** Null in production and without the sandbox provider: then the clock is the machine's. */
  timeTravel: TimeTravel | null;
  /** The version of the terms that a registration accepts; null: the operator has none. */
  termsVersion: string | null;
  /** How long a closed account can be reopened, in days. */
  closedAccountDays: number;
  /** Whether customers may set up, restart and change workspaces now. */
  instanceOperations: boolean;
  nodeCatalogue: NodeCatalogue;
  /** Whether GraphQL introspection is allowed; not in production. */
  introspection: boolean;
}
