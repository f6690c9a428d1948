/**
 * Node-RED loads this file as its settings, in the workspace's own process. It gives the control plane its few entry points. Everything
 * here runs beside the customer's code, so it contains no secret that opens anything outside this workspace.
 */
import { createKnownPlan } from "../../workspace-side/known-plan.mts";
import { createTokenCheck, thisProcess } from "../../workspace-side/token-check.mts";
import { collectWhenIdle } from "../../workspace-side/idle-memory.mts";
import { readSetting } from "../../workspace-side/read-setting.mts";
import { keepConnections } from "../../workspace-side/keep-connections.mts";
import { sayReady } from "../../workspace-side/say-ready.mts";
import { takeVariables } from "../../workspace-side/take-variables.mts";
import { openUsageStore } from "../../workspace-side/usage-store.mts";
import { onceListening, watchFirstStart } from "./first-start.mts";
import { findInternals } from "./internals.mts";
import { guardExecutions, limitFlows } from "./quota.mts";
import { createRoutes } from "./routes.mts";
import { createSessions } from "./sessions.mts";
import { createSleepHandler } from "./sleep-route.mts";

const folder = readSetting("SLIPWAY_FOLDER");
const panelUrl = readSetting("SLIPWAY_PANEL_URL");
const workspaceId = readSetting("SLIPWAY_WORKSPACE_ID");
// Flows can read this process's environment, and the id says nothing to them.
delete process.env["SLIPWAY_WORKSPACE_ID"];
const credentialSecret = readSetting("SLIPWAY_CREDENTIAL_SECRET");
// Programs that the workspace starts inherit its environment and do not need this.
delete process.env["SLIPWAY_CREDENTIAL_SECRET"];
takeVariables(folder);
keepConnections();

const now = () => new Date();
const internals = findInternals();
const sessions = createSessions(`${folder}/slipway/sessions.json`);
const usage = openUsageStore(`${folder}/slipway/usage.sqlite`, now);
const plan = createKnownPlan(usage, now);
const check = createTokenCheck({ workspaceId, publicKey: readSetting("SLIPWAY_PUBLIC_KEY"), ...thisProcess });
const address = readSetting("SLIPWAY_ADDRESS");
const port = Number(readSetting("SLIPWAY_PORT"));
const hasBegun = watchFirstStart(internals.events, () => onceListening(port, address, sayReady));
guardExecutions({ internals, plan, usage, panelUrl, now });
// Node-RED does not say which flows run: those that work use the processor.
collectWhenIdle({ isBusy: () => false });

const settings = {
  userDir: folder,
  uiHost: address,
  uiPort: port,
  flowFile: "flows.json",
  credentialSecret,
  // There are no passwords here: the panel signs users in.
  adminAuth: { type: "credentials", users: async () => null, authenticate: async () => null, tokens: sessions.find },
  httpAdminMiddleware: createRoutes({
    hasBegun,
    panelUrl,
    version: internals.version,
    check,
    sessions,
    plan,
    usage,
    storage: internals.storage,
    credentialSecret,
    sleep: createSleepHandler({ internals, hasBegun }),
  }),
  storageModule: limitFlows(internals.storage, plan, panelUrl),
  contextStorage: { default: { module: "localfilesystem" } },
  // An install needs npm, which a workspace does not have.
  externalModules: {
    autoInstall: false,
    palette: { allowInstall: false, allowUpload: false, allowUpdate: false },
    modules: { allowInstall: false },
  },
  functionExternalModules: false,
  telemetry: { enabled: false, updateNotification: false },
  diagnostics: { enabled: false, ui: false },
  runtimeState: { enabled: false, ui: false },
  logging: {
    console: { level: "info", metrics: false, audit: false },
    // Failing nodes are reported here; the message itself was counted when it began.
    failures: {
      level: "error",
      metrics: false,
      audit: false,
      handler:
        () =>
        ({ id }: { id?: string }) =>
          void (id !== undefined && usage.countFailure(plan.period(), now())),
    },
  },
  editorTheme: {
    tours: false,
    projects: { enabled: false },
    palette: { allowInstall: false },
    header: { title: "Node-RED", url: `${panelUrl}/dashboard` },
    logout: { redirect: `${panelUrl}/dashboard` },
  },
};

// Node-RED requires this file and writes to the result, so it must be a plain object instead of a frozen module.
export { settings as "module.exports" };
