/**
 * n8n loads this file into the workspace's process (EXTERNAL_HOOK_FILES). It gives the control plane its few entry points. Everything here
 * runs beside the customer's code: its only secret, the key for the owner's codes, is worthless outside this account.
 */
import { join } from "node:path";
import { findPrepared } from "../../workspace-side/compile-cache.mts";
import { createKnownPlan } from "../../workspace-side/known-plan.mts";
import { createTokenCheck, thisProcess } from "../../workspace-side/token-check.mts";
import { collectWhenIdle } from "../../workspace-side/idle-memory.mts";
import { readSetting } from "../../workspace-side/read-setting.mts";
import { keepConnections } from "../../workspace-side/keep-connections.mts";
import { sayReady } from "../../workspace-side/say-ready.mts";
import type { TokenAudience } from "../../workspace-side/token-claims.mts";
import { createClaimHandler, type OwnAddress } from "./claim/claim-route.mts";
import { createSleepHandler } from "./sleep-route.mts";
import { openUsageStore } from "../../workspace-side/usage-store.mts";
import { knowApiCallers } from "./quota/api-callers.mts";
import { bannersPath, createBannerHandler } from "./editor/banner-route.mts";
import { mountCloudRoutes } from "./editor/cloud-routes.mts";
import { strengthenCodeRunner } from "./code-runner/code-runner.mts";
import { createCommunityNodesHandler } from "./community-nodes/community-nodes-route.mts";
import { createConcurrency, type Concurrency } from "./quota/concurrency.mts";
import { countCrashes } from "./quota/count-crashes.mts";
import { correctEditorLinks } from "./editor/editor-links.mts";
import { createEditorRequests } from "./editor/editor-requests.mts";
import { shareEditor } from "./editor/shared-editor.mts";
import { describeFiles } from "./editor/files-help.mts";
import { createExportHandler } from "./copies/export-route.mts";
import { finishBoot } from "./community-nodes/finished-boot.mts";
import { findInternals, type Handler, type HookContext, type Server } from "./internals.mts";
import { settleLicense, takeLicenseKeyAway } from "./quota/license-key.mts";
import { createLoginHandler } from "./people/login-route.mts";
import { loginKeyOf, mintLoginCode } from "./people/login-code.mts";
import { createOwnerHandler, createOwnerUpdateHandler } from "./people/owner-route.mts";
import { leaveMailsToControlPlane } from "./people/member-mails.mts";
import { createMemberRoutes } from "./people/member-routes.mts";
import { mountFirst } from "./mount-first.mts";
import { refuseBrotli } from "./no-brotli.mts";
import { explainNoPython, hidePython } from "./code-runner/no-python.mts";
import { createPanelHandler, panelPrefix } from "./editor/panel-route.mts";
import { createPlanHandler, createRequestsDoneHandler, createUsageHandler } from "./quota/plan-routes.mts";
import { createProfileHandler } from "./people/profile-route.mts";
import { createQuota, type ActivatedWorkflow, type EndedRun } from "./quota/quota.mts";
import { createRefusalHistory, type RefusalHistory } from "./quota/refusal-history.mts";
import { noteBegunExecution, noteRefusedExecution, refuseCallsOverPlan } from "./quota/refuse-calls.mts";
import { createWorkflowCounts, type RunWorkflow } from "./quota/workflow-counts.mts";
import { createSignInPage } from "./people/sign-in-page.mts";
import { tellTooLarge } from "./too-large.mts";
import { refuseManyLists } from "./too-many-lists.mts";
import { answerUnknownOrigins } from "./unknown-webhooks.mts";
import { takeOwnVariables } from "./variables-route.mts";
import { reclaimWhenIdle } from "./reclaim-space.mts";
import { resumeWaitingExecutions } from "./waiting-executions.mts";
import { createSnapshotRoutes } from "./copies/snapshot-route.mts";

const workspaceId = readSetting("SLIPWAY_WORKSPACE_ID");
// Once the owner sets variables, workflows can read this process's environment, and the id says nothing to them.
delete process.env["SLIPWAY_WORKSPACE_ID"];
const panelUrl = readSetting("SLIPWAY_PANEL_URL");
/** A blank gets another one with its owner. */
const own: OwnAddress = { url: readSetting("N8N_EDITOR_BASE_URL").replace(/\/$/, "") };
const check = createTokenCheck({ workspaceId, publicKey: readSetting("SLIPWAY_PUBLIC_KEY"), ...thisProcess });
const folder = readSetting("N8N_USER_FOLDER");
const replaceVariables = takeOwnVariables(folder);
const loginKey = loginKeyOf(readSetting("SLIPWAY_LOGIN_KEY"));
// Programs that the workspace starts inherit its environment and do not need this.
delete process.env["SLIPWAY_LOGIN_KEY"];
const isLicensed = takeLicenseKeyAway();
const now = () => new Date();
// n8n has read its key by now. Once the owner sets variables, all builders of workflows can read this process's environment.
delete process.env["N8N_ENCRYPTION_KEY"];
const usage = openUsageStore(join(folder, ".slipway", "usage.sqlite"), now);
const plan = createKnownPlan(usage, now);
const workflows = createWorkflowCounts(usage, plan);
const linkTo = (path: string): string => `${own.url}${panelPrefix}${path}`;
const requests = createEditorRequests(now);
// Before the first workflow runs.
strengthenCodeRunner(Number(readSetting("SLIPWAY_MESSAGE_MB")));
hidePython();
keepConnections();
describeFiles();
const quota = createQuota({ plan, usage, workflows, panelUrl, linkTo, now });
shareEditorIfPrepared();
/** Workflows that the control plane is told after a killed process. */
const mostNamed = 5;
/** Both are set once n8n is ready: no outside request runs before that. */
let refusals: RefusalHistory | undefined;
let concurrency: Concurrency | undefined;
/** The object from which n8n answers each request for the editor's settings. */
let editorSettings: { concurrency?: number } | undefined;

function applyPlan(): void {
  concurrency?.apply();
  // The list of executions says how many of how many run.
  if (editorSettings && concurrency) editorSettings.concurrency = concurrency.limit();
}

/** A release with different internals writes its editor's files itself, as does a host on which none are prepared. */
function shareEditorIfPrepared(): void {
  const prepared = findPrepared();
  try {
    if (prepared !== undefined && shareEditor(folder, prepared)) console.log("quick start: editor files");
  } catch (error) {
    console.warn(`this start writes the editor's files itself: ${(error as Error).message}`);
  }
}

/** Accepts only requests with a fresh token of this audience. */
function bearerOnly(audience: TokenAudience): Handler {
  return (request, response, next) => {
    const token = /^Bearer (\S+)$/.exec(request.headers["authorization"] ?? "")?.[1];
    const verdict = check(token, audience);
    return "claims" in verdict ? next() : response.status(401).json({ message: `token refused: ${verdict.refusal}` });
  };
}

function mountRoutes(server: Server, context: HookContext): void {
  const { app } = server;
  const internals = findInternals();
  const rest = `/${server.restEndpoint}`;
  const accountName = () => new URL(own.url).hostname.split(".")[0]!;
  const startedAtMs = performance.timeOrigin;
  const mintCode = () => mintLoginCode(loginKey, workspaceId, Date.now());

  app.get(
    "/_slipway/login",
    createLoginHandler({ context, internals, panelUrl, accountName, startedAtMs, check: (token) => check(token, "login") }),
  );
  app.post("/_slipway/claim", bearerOnly("claim"), createClaimHandler(context, own, folder));
  app.post("/_slipway/owner", bearerOnly("owner"), createOwnerHandler(context, internals));
  app.post("/_slipway/owner/details", bearerOnly("owner"), createOwnerUpdateHandler(context, internals));
  app.post("/_slipway/plan", bearerOnly("plan"), createPlanHandler(plan, applyPlan));
  app.get("/_slipway/sleep", bearerOnly("status"), createSleepHandler(internals));
  app.get("/_slipway/running", bearerOnly("status"), ({ query }, response) =>
    response.json({ running: internals.countRunningSince(new Date(Number(query["since"]))) }),
  );
  app.get("/_slipway/usage", bearerOnly("usage"), createUsageHandler(context, internals, { plan, usage, workflows, requests }));
  app.post("/_slipway/requests/done", bearerOnly("usage"), createRequestsDoneHandler(requests));
  app.get(
    `${panelPrefix}/*path`,
    internals.auth.createAuthMiddleware({ allowSkipMFA: true, allowUnauthenticated: true }),
    createPanelHandler(context, panelUrl, mintCode),
  );
  const members = createMemberRoutes(context, internals);
  app.get("/_slipway/users", bearerOnly("members"), members.list);
  app.post("/_slipway/invitations", bearerOnly("members"), members.invite);
  app.post("/_slipway/invitations/revoke", bearerOnly("members"), members.revoke);
  app.get("/_slipway/community-nodes", bearerOnly("status"), createCommunityNodesHandler(folder));
  app.post("/_slipway/variables", bearerOnly("variables"), replaceVariables);
  app.post("/_slipway/profile", bearerOnly("profile"), createProfileHandler(context));
  app.post("/_slipway/export", bearerOnly("export"), createExportHandler(context));
  const snapshots = createSnapshotRoutes(context, folder);
  app.post("/_slipway/snapshot", bearerOnly("backup"), snapshots.write);
  app.post("/_slipway/snapshot/remove", bearerOnly("backup"), snapshots.remove);
  app.get("/_slipway/status", bearerOnly("status"), async (_request, response) => {
    const { User, Workflow } = context.dbCollections;
    const [activeWorkflows, users] = await Promise.all([Workflow.count({ where: { active: true } }), User.count()]);
    response.json({ version: internals.version, activeWorkflows, users, runningExecutions: internals.countRunningExecutions() });
  });
  mountCloudRoutes({ app, rest, context, internals, plan, requests, mintCode, linkTo });
  app.get(bannersPath, createBannerHandler(quota));
  refusals = createRefusalHistory(context, internals, now);
  concurrency = createConcurrency(internals, plan);
  applyPlan();
  tellTooLarge(internals);
  answerUnknownOrigins(internals.webhooks.live);
  refuseManyLists(app);
  refuseBrotli(app);
  explainNoPython(internals);
  refuseCallsOverPlan(internals, { quota, concurrency, history: refusals, now });
  knowApiCallers(app);
  quota.guardInvitations(context, internals);
  quota.guardCredentials(context, internals);
  correctEditorLinks(app, internals.editorFolder, panelUrl);
  leaveMailsToControlPlane(internals, requests);
  mountFirst(app, createSignInPage({ panelUrl, accountName }));
  refuseOwnerSetup(server, `${rest}/owner/setup`);
}

/** Otherwise the first visitor of a workspace without an owner could become its owner. */
function refuseOwnerSetup({ app }: Server, path: string): void {
  mountFirst(app, (request, response, next) => {
    const isSetup = request.path.toLowerCase().replace(/\/+$/, "") === path;
    return isSetup ? response.status(403).json({ message: "The owner of this workspace is set up by its panel." }) : next();
  });
}

/** Counts executions that a killed process left behind, and names their workflows to the control plane. */
async function settleCrashes({ dbCollections }: HookContext): Promise<void> {
  const ids = await countCrashes(findInternals(), plan, usage, now());
  const rows = await Promise.all(ids.slice(0, mostNamed).map((id) => dbCollections.Workflow.findOne({ where: { id } })));
  const names = rows.flatMap((row) => row?.name ?? []);
  if (names.length > 0) requests.reportInterrupted(names);
}

export const n8n = {
  ready: [
    async function ready(this: HookContext, server: Server): Promise<void> {
      mountRoutes(server, this);
      await settleLicense(this, findInternals(), isLicensed).catch((error: Error) =>
        console.warn(`the license state could not be updated: ${error.message}`),
      );
      // Not the number of those in memory: n8n keeps waiting executions there for days.
      collectWhenIdle({ isBusy: findInternals().isExecuting });
      const internals = findInternals();
      reclaimWhenIdle({
        query: (sql) => this.dbCollections.Workflow.query(sql),
        isBusy: async () => internals.isExecuting() || (await internals.countStarted()) > 0,
      });
      // A failure before this costs only a count, and must not prevent the start.
      const heldBack = finishBoot(folder);
      if (heldBack.length > 0) requests.reportHeldBack(heldBack);
      await settleCrashes(this).catch((error: Error) => console.warn(`crashed executions were not counted: ${error.message}`));
      resumeWaitingExecutions();
      // n8n calls itself ready as soon as this has returned.
      setImmediate(sayReady);
    },
  ],
};

export const workflow = {
  preExecute: [
    async (executed: RunWorkflow, mode: string): Promise<void> => {
      noteBegunExecution();
      try {
        quota.beforeExecution(mode, executed);
      } catch (error) {
        noteRefusedExecution();
        throw error;
      }
    },
  ],
  postExecute: [
    async (run: EndedRun | undefined, executed: RunWorkflow = {}, executionId?: string): Promise<void> => {
      const { id } = executed;
      const isRefused = quota.afterExecution(run ?? {}, executed);
      // A person who retries an execution sees its result themselves.
      if (isRefused && id && executionId && (run?.mode === "trigger" || run?.mode === "webhook"))
        refusals?.settleRefusedExecution(id, executionId);
    },
  ],
  activate: [
    async function activate(this: HookContext, candidate: ActivatedWorkflow): Promise<void> {
      await quota.beforeActivation(candidate, this, findInternals());
    },
  ],
  deactivate: [async (deactivated: { id: string }): Promise<void> => quota.afterDeactivation(deactivated.id)],
  delete: [async (workflowId: string): Promise<void> => quota.afterDeactivation(workflowId)],
};

export const frontend = {
  settings: [
    async function settings(value: {
      n8nMetadata?: object;
      concurrency?: number;
      hideUsagePage?: boolean;
      userManagement?: { smtpSetup?: boolean };
      dynamicBanners?: { enabled: boolean; endpoint: string };
    }): Promise<void> {
      // The editor requests its plan only if this is set.
      value.n8nMetadata = { ...value.n8nMetadata, userId: workspaceId };
      editorSettings = value;
      applyPlan();
      // That page describes n8n's community edition, without limits, and asks for an activation key: the panel shows the plan.
      value.hideUsagePage = true;
      // The control plane sends the mails of forgotten passwords and invitations (member-mails.mts).
      if (value.dynamicBanners) Object.assign(value.dynamicBanners, { enabled: true, endpoint: `${own.url}${bannersPath}` });
      if (value.userManagement) value.userManagement.smtpSetup = true;
    },
  ],
};
