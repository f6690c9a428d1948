/** n8n as the engine of workspaces: an unchanged n8n with a hook file beside it. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "#platform/clock.ts";
import type { RunSpec } from "../../drivers/driver.ts";
import type { Engine, EngineHealth, EngineOwner, EngineProfile, EngineWorkspace } from "../engine.ts";
import { installRelease, releaseFolder } from "../install-release.ts";
import { readReleases, type QualifiedRelease } from "../read-releases.ts";
import { readHookFiles } from "../hook-files.ts";
import { publicKeyOf, signToken, type SigningKey } from "../sign-token.ts";
import { isLocalPath } from "../workspace-side/token-claims.mts";
import { buildN8nEnvironment } from "./n8n-environment.ts";
import { createN8nBackups } from "./n8n-backups.ts";
import { createN8nExports } from "./n8n-exports.ts";
import { createN8nMembers } from "./n8n-members.ts";
import { createN8nPlan, n8nName } from "./n8n-plan.ts";
import { n8nNativePackages } from "./n8n-native-packages.ts";
import { editorInformation } from "./editor-information.ts";
import { readLoginCode } from "./read-login-code.ts";
import { readN8nCatalogue } from "./read-n8n-catalogue.ts";

export interface N8nEngineOptions {
  /** Where the editor finds templates, with a trailing slash; none by default. */
  templatesUrl?: string | null;
  /** Absolute; workspaces must be able to read it. */
  enginesDir: string;
  /** Where the hook files go; readable by workspaces as well. */
  hooksDir?: string;
  /** Node 24 or later, absolute, in a file called `node`; workspaces must be able to run it. */
  nodeBinary: string;
  /** Ed25519 private key. It must be the same after a restart: running workspaces know its public half. */
  signingKey: SigningKey;
  /** The machine's own, never one moved forward: what it signs is judged by another process's clock. */
  clock: Clock;
  secureCookies: boolean;
  /** For qualification: releases that are not in this repository yet. */
  releases?: readonly QualifiedRelease[];
}

/**
 * The one path that tells the truth from the first moment: while n8n migrates its database every other one answers
 * 200 with "n8n is starting up", and plain /healthz is there seconds before the rest. It turns 200 after the hook.
 */
const healthPath = "/healthz/readiness";
const healthTimeoutMs = 3000;
const postTimeoutMs = 15_000;
/** n8n gives running executions 30 s to end. */
const stopTimeoutMs = 35_000;
const releasesFolder = join(import.meta.dirname, "releases");

/** The engine. Installing, health and owner set-up talk to real processes; the rest is plain data. */
export function createN8nEngine(options: N8nEngineOptions): Engine {
  const { enginesDir, signingKey, clock } = options;
  const releases = options.releases ?? readReleases("n8n", releasesFolder);
  const hookFiles = readHookFiles(options.hooksDir ?? join(enginesDir, "hooks"), "n8n");
  const publicKey = publicKeyOf(signingKey);

  const find = (version: string): QualifiedRelease => {
    const release = releases.find((candidate) => candidate.version === version);
    if (release === undefined) throw new Error(`n8n ${version} is not a release this repository has qualified`);
    return release;
  };
  const place = (version: string) => releaseFolder(enginesDir, find(version));

  return {
    name: "n8n",
    displayName: "n8n",
    releases,
    healthPath,
    install: async (version, onProgress, signal) => {
      const release = find(version);
      await hookFiles.place();
      await installRelease({ enginesDir, release, nodeBinary: options.nodeBinary, nativePackages: n8nNativePackages, onProgress, signal });
    },
    isInstalled: async (version) => existsSync(place(version)) && hookFiles.arePlaced(),
    createSecrets: () => ({ encryptionKey: randomBytes(32).toString("base64url"), loginKey: randomBytes(32).toString("base64url") }),
    runSpec: (workspace, version) => buildRunSpec(workspace, { folder: place(version), nodeBinary: options.nodeBinary, hookFile: hookFiles.entry, publicKey, secureCookies: options.secureCookies, templatesUrl: options.templatesUrl ?? null }),
    health: checkHealth,
    setUpOwner: async (address, workspaceId, owner) => {
      const token = signToken(signingKey, clock, { audience: "owner", workspaceId });
      await postOwner(address, token, owner);
    },
    setProfile: (address, workspaceId, profile) => postProfile(address, signToken(signingKey, clock, { audience: "profile", workspaceId }), profile),
    readCatalogue: (version) => readN8nCatalogue(place(version)),
    loginPath: (workspaceId, landingPath) => {
      const safePath = isLocalPath(landingPath) ? landingPath : "/";
      return `/_slipway/login?token=${signToken(signingKey, clock, { audience: "login", workspaceId, landingPath: safePath })}`;
    },
    readLoginCode: (code) => readLoginCode(code, clock),
    members: createN8nMembers(signingKey, clock),
    backups: createN8nBackups(signingKey, clock),
    exports: createN8nExports(signingKey, clock),
    ...createN8nPlan(signingKey, clock),
  };
}

interface RunSpecOptions {
  folder: string;
  nodeBinary: string;
  hookFile: string;
  publicKey: string;
  secureCookies: boolean;
  templatesUrl: string | null;
}

function buildRunSpec(workspace: EngineWorkspace, options: RunSpecOptions): RunSpec {
  const { mainHeapMb, runnerHeapMb } = splitMemory(workspace.memoryMb);
  return {
    workspaceId: workspace.id,
    workspaceNumber: workspace.number,
    run: workspace.run,
    generation: workspace.generation,
    command: [options.nodeBinary, `--max-old-space-size=${mainHeapMb}`, join(options.folder, "node_modules", "n8n", "bin", "n8n"), "start"],
    env: buildN8nEnvironment(workspace, { ...options, runnerHeapMb }),
    // A folder for temporary files must be there before the process starts.
    files: [{ path: "tmp/.keep", content: "", mode: 0o600 }],
    ports: ["http", "broker"],
    memoryMb: workspace.memoryMb,
    stopTimeoutMs,
  };
}

/** Heaps in megabytes. n8n dies at boot below 320 and is slow below 384; half of the rest is for what is outside of heaps. */
export function splitMemory(memoryMb: number): { mainHeapMb: number; runnerHeapMb: number } {
  return { mainHeapMb: Math.max(384, Math.floor(memoryMb * 0.55)), runnerHeapMb: Math.max(96, Math.floor(memoryMb * 0.2)) };
}

/** A kept connection would speak of the process that was, not of the one that is. */
const oneConnection = { connection: "close" };

async function checkHealth(address: string): Promise<EngineHealth> {
  try {
    const response = await fetch(`http://${address}${healthPath}`, { headers: oneConnection, signal: AbortSignal.timeout(healthTimeoutMs), redirect: "manual" });
    await response.body?.cancel();
    return response.status === 200 ? { ready: true } : { ready: false, detail: `n8n answers ${response.status}: it is still starting` };
  } catch (error) {
    return { ready: false, detail: explainFetchFailure(error) };
  }
}

function explainFetchFailure(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string } };
  if (name === "TimeoutError") return `n8n did not answer within ${healthTimeoutMs} ms`;
  return cause?.code === "ECONNREFUSED" ? "n8n does not listen yet" : `n8n can't be asked: ${cause?.code ?? message}`;
}

async function postOwner(address: string, token: string, owner: EngineOwner): Promise<void> {
  await post(`http://${address}/_slipway/owner`, token, { email: owner.email, ...n8nName(owner.fullName) }, "its owner");
}

async function postProfile(address: string, token: string, { username, selectedApps, answers }: EngineProfile): Promise<void> {
  await post(`http://${address}/_slipway/profile`, token, { username, selectedApps, information: editorInformation(answers) }, "its owner's profile");
}

async function post(url: string, token: string, body: object, what: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...oneConnection, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(postTimeoutMs),
    redirect: "manual",
  });
  const text = await response.text();
  if (response.status !== 200 && response.status !== 201) throw new Error(`n8n refused ${what}: ${response.status} ${text.slice(0, 200)}`);
}
