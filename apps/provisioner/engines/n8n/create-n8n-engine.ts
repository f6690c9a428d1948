/** n8n as an engine: an unmodified n8n with a hook file beside it. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { minuteMs, type Clock } from "#platform/clock.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import type { RunSpec } from "../../drivers/driver.ts";
import type { Caller } from "../call-workspace.ts";
import { checkHealth } from "../check-health.ts";
import type { Engine, EngineStart, EngineWorkspace } from "../engine.ts";
import { installRelease, releaseFolder } from "../install/install-release.ts";
import { preparedFolder, prepareRelease } from "../install/prepared-release.ts";
import { rehearsedWorkspace } from "../install/rehearsed-workspace.ts";
import { findRelease, readReleases, type QualifiedRelease } from "../releases/read-releases.ts";
import { readHookFiles } from "../hook-files.ts";
import { publicKeyOf, signToken, type SigningKey } from "../sign-token.ts";
import { isLocalPath } from "../workspace-side/token-claims.mts";
import { n8nCallPath, n8nExecutionSign, n8nWebhookPath } from "./execution-sign.ts";
import type { CommunityNodes } from "./community-nodes/community-nodes.ts";
import { licenseOf, type N8nLicense } from "./n8n-license.ts";
import { keepRehearsal } from "./keep-rehearsal.ts";
import { buildN8nEnvironment } from "./n8n-environment.ts";
import { createN8nCommunityNodes } from "./community-nodes/n8n-community-nodes.ts";
import { createN8nBlanks } from "./n8n-blanks.ts";
import { createN8nBackups } from "./copies/n8n-backups.ts";
import { createN8nExports } from "./copies/n8n-exports.ts";
import { createN8nMembers } from "./people/n8n-members.ts";
import { dealMemory } from "./n8n-memory.ts";
import { n8nOwnerSettings } from "./n8n-owner-settings.ts";
import { createN8nOwner } from "./people/n8n-owner.ts";
import { createN8nPlan } from "./n8n-plan.ts";
import { createN8nSleep } from "./n8n-sleep.ts";
import { createN8nVariables } from "./n8n-variables.ts";
import { n8nNativePackages } from "./n8n-native-packages.ts";
import { findNpmPlace } from "./community-nodes/npm-place.ts";
import { ownVariables } from "../own-variables.ts";
import { readLoginCode } from "./people/read-login-code.ts";
import { readN8nCatalogue } from "./read-n8n-catalogue.ts";

export interface N8nEngineOptions {
  /** Address of the editor's template gallery, with a trailing slash; none by default. */
  templatesUrl?: string | null;
  /** Absolute; workspaces must be able to read it. */
  enginesDir: string;
  /** Where the hook files go; readable by workspaces as well. */
  hooksDir?: string;
  /** Node 24 or later: an absolute path to a file called `node` that workspaces can run. */
  nodeBinary: string;
  /** Ed25519 private key. It must stay the same across restarts: running workspaces know its public half. */
  signingKey: SigningKey;
  /** For workspaces that prove their ids; without it, those cannot be reached. */
  lineKeys?: LineKeys | undefined;
  /** The machine's own clock, never one moved forward: another process's clock judges what it signs. */
  clock: Clock;
  secureCookies: boolean;
  /** The operator's n8n license, for workspaces with plans that include it. */
  license?: N8nLicense | undefined;
  /** What owners may install; none by default. */
  communityNodes?: CommunityNodes | undefined;
  /** For qualification: releases that are not yet in this repository. */
  releases?: readonly QualifiedRelease[];
}

/**
 * The only path whose answer is reliable from the start: while n8n migrates its database, every other path answers 200 with "n8n is
 * starting up", and plain /healthz answers seconds before the rest. It turns 200 after the hook.
 */
const healthPath = "/healthz/readiness";
const displayName = "n8n";
const start: EngineStart = {
  // The first start without compiled code takes 10 to 17 s on an idle machine; ten times that means the machine is in trouble.
  readyTimeoutMs: 180_000,
  // A cold start takes 5 s, or 23 on a busy host; n8n then resumes what has become due in that time.
  aheadMs: 2 * minuteMs,
};
/** n8n gives running executions 30 s to end. */
const stopTimeoutMs = 35_000;
const releasesFolder = join(import.meta.dirname, "releases");

/** The engine. Installing, health and owner set-up talk to real processes; the rest is plain data. */
export function createN8nEngine(options: N8nEngineOptions): Engine {
  const { enginesDir, signingKey, clock } = options;
  const releases = options.releases ?? readReleases("n8n", releasesFolder);
  const hookFiles = readHookFiles(options.hooksDir ?? join(enginesDir, "hooks"), "n8n/workspace-side/hooks.mts");
  const npm = options.communityNodes === undefined || options.communityNodes === "none" ? undefined : findNpmPlace(enginesDir);
  // Without npm, n8n would offer installs that fail.
  const communityNodes = npm === undefined ? "none" : options.communityNodes!;
  const publicKey = publicKeyOf(signingKey);
  const caller: Caller = { displayName, signingKey, lineKeys: options.lineKeys, clock };

  const find = (version: string): QualifiedRelease => findRelease(releases, displayName, version);
  /** A release that has left this repository is still run where it is installed: only an install needs its lock file. */
  const named = (version: string) => ({ engine: "n8n", version });
  const place = (version: string) => releaseFolder(enginesDir, named(version));

  const createSecrets = () => ({ encryptionKey: randomBytes(32).toString("base64url"), loginKey: randomBytes(32).toString("base64url") });
  const health = (address: string) => checkHealth(displayName, healthPath, address, options.lineKeys);
  const runSpec = (workspace: EngineWorkspace, version: string): RunSpec =>
    buildRunSpec(workspace, {
      folder: place(version),
      prepared: preparedFolder(enginesDir, named(version)),
      nodeBinary: options.nodeBinary,
      hookFile: hookFiles.entry,
      image: hookFiles.imageOf(named(version)),
      publicKey,
      secureCookies: options.secureCookies,
      templatesUrl: options.templatesUrl ?? null,
      license: options.license,
      communityNodes,
      npmBin: npm?.bin,
    });

  return {
    name: "n8n",
    displayName,
    releases,
    healthPath,
    ownerSettings: n8nOwnerSettings,
    start,
    executionSign: n8nExecutionSign,
    webhookPath: n8nWebhookPath,
    callPath: n8nCallPath,
    install: async (version, onProgress, signal) => {
      const placeOthers = async () => {
        await hookFiles.place();
        await npm?.place();
      };
      const { nodeBinary } = options;
      const nativePackages = n8nNativePackages;
      await installRelease({ enginesDir, release: find(version), nodeBinary, nativePackages, placeOthers, onProgress, signal });
    },
    isInstalled: async (version) => existsSync(place(version)) && hookFiles.arePlaced() && npm?.isPlaced() !== false,
    prepare: async (version, signal) => {
      await hookFiles.place();
      const spec = runSpec(rehearsedWorkspace({ createSecrets }), version);
      await prepareRelease({
        enginesDir,
        release: named(version),
        nodeBinary: options.nodeBinary,
        spec,
        health,
        readyTimeoutMs: start.readyTimeoutMs,
        keep: keepRehearsal,
        signal,
      });
    },
    createSecrets,
    runSpec,
    health,
    readCatalogue: (version) => readN8nCatalogue(place(version)),
    loginPath: (workspaceId, landingPath) => {
      const safePath = isLocalPath(landingPath) ? landingPath : "/";
      return `/_slipway/login?token=${signToken(signingKey, clock, { audience: "login", workspaceId, landingPath: safePath })}`;
    },
    readLoginCode: (code) => readLoginCode(code, clock),
    members: createN8nMembers(caller),
    ...(communityNodes !== "none" && { communityNodes: createN8nCommunityNodes(caller) }),
    blanks: createN8nBlanks(caller),
    sleep: createN8nSleep(caller),
    backups: createN8nBackups(caller),
    exports: createN8nExports(caller),
    ...createN8nOwner(caller),
    ...createN8nPlan(caller),
    ...createN8nVariables(caller),
  };
}

interface RunSpecOptions {
  folder: string;
  /** What starts of the release share, if it exists. */
  prepared: string;
  nodeBinary: string;
  hookFile: string;
  image: string;
  publicKey: string;
  secureCookies: boolean;
  templatesUrl: string | null;
  license: N8nLicense | undefined;
  communityNodes: CommunityNodes;
  npmBin: string | undefined;
}

function buildRunSpec(workspace: EngineWorkspace, options: RunSpecOptions): RunSpec {
  const license = licenseOf(workspace, options.license);
  const memory = dealMemory(workspace.memoryMb);
  const variables = ownVariables(workspace, n8nOwnerSettings);
  return {
    workspaceId: workspace.id,
    workspaceNumber: workspace.number,
    run: workspace.run,
    generation: workspace.generation,
    command: [
      options.nodeBinary,
      `--max-old-space-size=${memory.mainHeapMb}`,
      `--import=${pathToFileURL(join(dirname(options.hookFile), "boot-guard.mts")).href}`,
      join(options.folder, "node_modules", "n8n", "bin", "n8n"),
      "start",
    ],
    env: {
      ...variables.env,
      ...buildN8nEnvironment(workspace, {
        ...options,
        memory,
        hasLicense: license.hasLicense,
        communityNodes: license.hasLicense ? "none" : options.communityNodes,
      }),
      ...license.env,
    },
    // A folder for temporary files must exist before the process starts.
    files: [{ path: "tmp/.keep", content: "", mode: 0o600 }, ...license.files, ...variables.files],
    absent: [...license.absent, ...variables.absent],
    ports: ["http", "broker"],
    memoryMb: workspace.memoryMb,
    stopTimeoutMs,
    image: options.image,
  };
}
