/** What every journey works with, and the shape of the function that mounts its calls. */
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
import type { OfferedRelease } from "#domain/workspaces/offered-release.ts";
import type { NodeCatalogue } from "#domain/node-catalogue/create-node-catalogue.ts";
import type { TimeTravel } from "./move-clock/move-clock.ts";
import type { WorkspaceWatch } from "./watch-workspace/workspace-watch.ts";
import type { CurrentUser } from "./signed-in/current-user-query.ts";

export type Mount = MountOf<CurrentUser>;

/** A sign-in code as a workspace wrote it; nothing of it is true before `isSignedWith` says so. */
export interface WorkspaceCode {
  workspaceId: string;
  /** Chosen by the workspace; used once. */
  id: string;
  /** By the machine's own clock: the service's may have been moved. */
  ageMs: number;
  /** Whether the key of the workspace with these secrets signed it. */
  isSignedWith(secrets: Readonly<Record<string, string>>): boolean;
}

/** What a new workspace is made of, as far as the sign-up decides it; the engine's part comes from the provisioner. */
export interface WorkspaceDefaults {
  engine: "n8n" | "node-red";
  engineName: string;
  /** What a new workspace gets. */
  version: string;
  /** Newest first; what workspaces may be changed to. */
  releases: readonly OfferedRelease[];
  memoryMb: number;
  /** Whether the engine gives workflows out in files. */
  hasExports: boolean;
  /** Whether owners may add community nodes. */
  hasCommunityNodes: boolean;
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
  /** Where backups and exports lie, and how they are opened. */
  stored: Stored;
  publicUrl: string;
  cookie: SessionCookie;
  /** What a registration must bring solved. */
  challenge: Challenge;
  /** What a chosen password is held against. */
  passwords: PasswordRules;
  workspace: WorkspaceDefaults;
  watch: WorkspaceWatch;
  billing: Billing;
  /** Null in production, and wherever the sandbox does not take the payments: the clock is the machine's. */
  timeTravel: TimeTravel | null;
  /** Which terms a registration agrees to; null: the operator has none. */
  termsVersion: string | null;
  /** Whether customers may set up, restart and change workspaces now. */
  instanceOperations: boolean;
  nodeCatalogue: NodeCatalogue;
  /** Whether GraphQL may be asked what it can be asked; not in production. */
  introspection: boolean;
}
