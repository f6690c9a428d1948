/** Node-RED as an engine: an unmodified Node-RED with our settings file. Its license, Apache-2.0, lets an operator sell it. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { minuteMs, type Clock } from "#platform/clock.ts";
import type { LineKeys } from "#platform/lines/line-keys.ts";
import type { RunSpec } from "../../drivers/driver.ts";
import { createAsk, done, type Caller } from "../call-workspace.ts";
import { checkHealth } from "../check-health.ts";
import type { Engine, EngineStart, EngineWorkspace } from "../engine.ts";
import { installRelease, releaseFolder } from "../install/install-release.ts";
import { preparedFolder, prepareRelease } from "../install/prepared-release.ts";
import { rehearsedWorkspace } from "../install/rehearsed-workspace.ts";
import { readHookFiles } from "../hook-files.ts";
import { publicKeyOf, signToken, type SigningKey } from "../sign-token.ts";
import { saidRest } from "../said-rest.ts";
import { saidUsage } from "../said-usage.ts";
import { isLocalPath } from "../workspace-side/token-claims.mts";
import { ownVariables } from "../own-variables.ts";
import { findRelease, readReleases, type QualifiedRelease } from "../releases/read-releases.ts";
import { nodeRedBackups } from "./node-red-backups.ts";
import { createNodeRedExports } from "./node-red-exports.ts";
import { readNodeRedCatalogue } from "./read-node-red-catalogue.ts";

interface NodeRedEngineOptions {
  /** Absolute; workspaces must be able to read it. */
  enginesDir: string;
  /** Where the settings file goes; readable by workspaces as well. */
  hooksDir?: string;
  /** Node 24 or later, absolute; workspaces must be able to run it. */
  nodeBinary: string;
  /** Ed25519 private key. It must stay the same across restarts: running workspaces know its public half. */
  signingKey: SigningKey;
  /** For workspaces that prove their ids; without it, those cannot be reached. */
  lineKeys?: LineKeys | undefined;
  /** The machine's own clock, never one moved forward: another process's clock judges what it signs. */
  clock: Clock;
  /** For qualification: releases that are not yet in this repository. */
  releases?: readonly QualifiedRelease[];
}

const displayName = "Node-RED";
const healthPath = "/_slipway/health";
/** As for n8n, whose starts take longer (decision 0113). */
const start: EngineStart = { readyTimeoutMs: 180_000, aheadMs: 2 * minuteMs };
/** Node-RED waits 15 s for nodes that do not close. */
const stopTimeoutMs = 20_000;
const releasesFolder = join(import.meta.dirname, "releases");

/** The engine. Installing, health and the calls below /_slipway talk to real processes; the rest is plain data. */
export function createNodeRedEngine(options: NodeRedEngineOptions): Engine {
  const { enginesDir, signingKey, clock, nodeBinary } = options;
  const releases = options.releases ?? readReleases("node-red", releasesFolder);
  const hookFiles = readHookFiles(options.hooksDir ?? join(enginesDir, "hooks"), "node-red/workspace-side/settings.mts");
  const publicKey = publicKeyOf(signingKey);

  const find = (version: string): QualifiedRelease => findRelease(releases, displayName, version);
  /** A release that has left this repository is still run where it is installed: only an install needs its lock file. */
  const named = (version: string) => ({ engine: "node-red", version });
  const place = (version: string) => releaseFolder(enginesDir, named(version));
  const caller: Caller = { displayName, signingKey, lineKeys: options.lineKeys, clock };
  const askOwner = createAsk(caller, "owner");
  const askPlan = createAsk(caller, "plan");
  const askUsage = createAsk(caller, "usage");
  const askStatus = createAsk(caller, "status");

  const createSecrets = () => ({ credentialSecret: randomBytes(32).toString("base64url") });
  const health = (address: string) => checkHealth(displayName, healthPath, address, options.lineKeys);
  const runSpec = (workspace: EngineWorkspace, version: string): RunSpec =>
    buildRunSpec(workspace, {
      folder: place(version),
      prepared: preparedFolder(enginesDir, named(version)),
      nodeBinary,
      settingsFile: hookFiles.entry,
      image: hookFiles.imageOf(named(version)),
      publicKey,
    });

  return {
    name: "node-red",
    displayName,
    releases,
    healthPath,
    ownerSettings: [],
    start,
    install: async (version, onProgress, signal) => {
      const placeOthers = () => hookFiles.place();
      await installRelease({ enginesDir, release: find(version), nodeBinary, nativePackages: [], placeOthers, onProgress, signal });
    },
    isInstalled: async (version) => existsSync(place(version)) && hookFiles.arePlaced(),
    prepare: async (version, signal) => {
      await hookFiles.place();
      const spec = runSpec(rehearsedWorkspace({ createSecrets }), version);
      await prepareRelease({ enginesDir, release: named(version), nodeBinary, spec, health, readyTimeoutMs: start.readyTimeoutMs, signal });
    },
    createSecrets,
    runSpec,
    health,
    setUpOwner: async (address, workspaceId, owner) => {
      await askOwner(done, address, workspaceId, "/_slipway/owner", { email: owner.email });
    },
    updateOwner: async (address, workspaceId, owner) => {
      await askOwner(done, address, workspaceId, "/_slipway/owner", { email: owner.email, change: true });
    },
    // Node-RED's editor greets no one by name and has no use for apps.
    setProfile: async () => undefined,
    setPlan: async (address, workspaceId, plan) => {
      await askPlan(done, address, workspaceId, "/_slipway/plan", plan);
    },
    readUsage: (address, workspaceId) => askUsage(saidUsage, address, workspaceId, "/_slipway/usage"),
    sleep: {
      ask: (address, workspaceId) => askStatus(saidRest, address, workspaceId, "/_slipway/sleep"),
      monitored: /^\/_slipway\/health\/?(?:\?|$)/,
      // A flow may answer any path.
      absent: /(?!)/,
    },
    // The editor's own WebSocket. Flows offer theirs, and streams of events, below any other path.
    editorListens: /^\/comms\/?(?:\?|$)/,
    readCatalogue: (version) => readNodeRedCatalogue(place(version)),
    loginPath: (workspaceId, landingPath) => {
      const safePath = isLocalPath(landingPath) ? landingPath : "/";
      return `/_slipway/login?token=${signToken(signingKey, clock, { audience: "login", workspaceId, landingPath: safePath })}`;
    },
    // Its editor has a link to the panel, but cannot tell who follows it.
    readLoginCode: () => null,
    backups: nodeRedBackups,
    exports: createNodeRedExports(caller),
  };
}

interface RunSpecOptions {
  folder: string;
  /** What starts of the release share, if it exists. */
  prepared: string;
  nodeBinary: string;
  settingsFile: string;
  image: string;
  publicKey: string;
}

function buildRunSpec(
  workspace: EngineWorkspace,
  { folder, prepared, nodeBinary, settingsFile, image, publicKey }: RunSpecOptions,
): RunSpec {
  const credentialSecret = workspace.secrets["credentialSecret"];
  if (!credentialSecret) throw new Error(`workspace ${workspace.id} has no secret "credentialSecret"`);
  const variables = ownVariables(workspace, []);
  return {
    workspaceId: workspace.id,
    workspaceNumber: workspace.number,
    run: workspace.run,
    generation: workspace.generation,
    // A quarter of the memory is for use outside the heap.
    command: [
      nodeBinary,
      `--max-old-space-size=${Math.max(96, Math.floor(workspace.memoryMb * 0.75))}`,
      `--import=${pathToFileURL(join(dirname(settingsFile), "../../workspace-side/compile-cache.mts")).href}`,
      join(folder, "node_modules/node-red/red.js"),
      "--settings",
      settingsFile,
    ],
    env: {
      NODE_ENV: "production",
      PATH: `${dirname(nodeBinary)}:/usr/bin:/bin`,
      LANG: "C.UTF-8",
      HOME: "{{folder}}",
      TMPDIR: "{{folder}}/tmp",
      TZ: workspace.timezone,
      SLIPWAY_PREPARED: prepared,
      SLIPWAY_READY: "{{ready}}",
      SLIPWAY_FOLDER: "{{folder}}",
      SLIPWAY_ADDRESS: "{{address}}",
      SLIPWAY_PORT: "{{port.http}}",
      SLIPWAY_WORKSPACE_ID: workspace.id,
      SLIPWAY_PANEL_URL: workspace.panelUrl,
      SLIPWAY_PUBLIC_KEY: publicKey,
      // Opens this workspace's own credentials, and nothing else.
      SLIPWAY_CREDENTIAL_SECRET: credentialSecret,
    },
    files: [{ path: "tmp/.keep", content: "", mode: 0o600 }, ...variables.files],
    absent: variables.absent,
    ports: ["http"],
    memoryMb: workspace.memoryMb,
    stopTimeoutMs,
    image,
  };
}
