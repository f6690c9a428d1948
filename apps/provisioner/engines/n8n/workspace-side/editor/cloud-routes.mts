/**
 * Calls that n8n's editor makes when it is told that it runs hosted. It calls as the signed-in owner and expects plain bodies, not wrapped
 * in `data`.
 */
import type { KnownPlan, Plan } from "../../../workspace-side/known-plan.mts";
import { countedWorkflows } from "../quota/active-workflows.mts";
import type { EditorRequests } from "./editor-requests.mts";
import type { ExpressApp, Handler, HookContext, Internals } from "../internals.mts";
import { readProfile } from "../people/profile-route.mts";

/** Used until the control plane has sent the plan: shows nothing that may be wrong. */
const noPlan = {
  planId: "",
  displayName: "",
  monthlyExecutionsLimit: -1,
  activeWorkflowsLimit: -1,
  credentialsLimit: -1,
  isActive: true,
  expirationDate: "9999-12-31T00:00:00.000Z",
  metadata: { version: "v3", group: "opt-out", slug: "pro-1" },
  userIsTrialing: false,
};

/** The plan in the editor's terms. n8n 1 recognizes a trial by `metadata.group`, n8n 2 by `userIsTrialing`. */
function planView(plan: Plan, changePlanUrl: string): object {
  const { limits } = plan;
  const userIsTrialing = plan.status === "trialing";
  // The editor compares numbers: without a limit it would call a trial used up.
  const executions = userIsTrialing && limits.executions < 0 ? Number.MAX_SAFE_INTEGER : limits.executions;
  const banner = {
    timeLeft: {},
    showExecutions: limits.executions >= 0,
    dismissible: false,
    forceShow: true,
    cta: { text: "Upgrade now", icon: "zap", size: "small", variant: "solid", href: changePlanUrl },
  };
  return {
    planId: plan.id,
    displayName: plan.displayName,
    monthlyExecutionsLimit: executions,
    activeWorkflowsLimit: limits.activeWorkflows,
    credentialsLimit: limits.credentials,
    isActive: plan.status !== "deleted" && plan.status !== "paused",
    expirationDate: plan.expiresAt ?? noPlan.expirationDate,
    metadata: {
      version: "v3",
      group: plan.group,
      slug: plan.slug,
      ...(userIsTrialing ? { trial: { length: plan.trialDays, gracePeriod: 0 } } : {}),
    },
    userIsTrialing,
    ...(userIsTrialing ? { bannerConfig: banner } : {}),
  };
}

const noProvisioning = {
  scopesProvisionInstanceRole: false,
  scopesProvisionProjectRoles: false,
  scopesName: "",
  scopesInstanceRoleClaimName: "",
  scopesProjectsRolesClaimName: "",
  scopesUseExpressionMapping: false,
};

const ownerOnly: Handler = (request, response, next) =>
  request.user?.role?.slug === "global:owner"
    ? next()
    : response.status(403).json({ message: "Only the owner of this workspace may see this." });

interface CloudRoutes {
  app: ExpressApp;
  /** n8n's own prefix, "/rest". */
  rest: string;
  context: HookContext;
  internals: Internals;
  /** A fresh code that signs this workspace's owner in to the panel. */
  mintCode: () => string;
  plan: KnownPlan;
  /** Requests of the editor that the control plane fulfils. */
  requests: EditorRequests;
  /** A link from the editor to a page of the panel that signs the owner in. */
  linkTo: (path: string) => string;
}

/** Serves the editor's hosted calls to the owner; everyone else gets 403. */
export function mountCloudRoutes({ app, rest, context, internals, mintCode, plan, requests, linkTo }: CloudRoutes): void {
  const signedIn = internals.auth.createAuthMiddleware({ allowSkipMFA: true });
  const get = (path: string | string[], handler: Handler) => app.get(path, signedIn, ownerOnly, handler);

  get(`${rest}/admin/cloud-plan`, (_request, response) => {
    const known = plan.read();
    response.json(known ? planView(known, linkTo(known.changePlanPath)) : noPlan);
  });
  // The editor requests this one at the root.
  get(["/cloud/limits", `${rest}/cloud/limits`], async (_request, response) => {
    const activeWorkflows = (await countedWorkflows(context)).length;
    response.json({ timeframe: new Date().toISOString().slice(0, 7), executions: plan.used(), activeWorkflows });
  });
  // The page of users requests this when n8n is told that it runs hosted; n8n's own answer needs a license.
  app.get(`${rest}/sso/provisioning/config`, signedIn, (_request, response) => response.json({ data: noProvisioning }));
  get(`${rest}/cloud/proxy/user/me`, async (request, response) => {
    const profile = await readProfile(context);
    response.json({
      confirmed: plan.read()?.isConfirmed ?? true,
      email: request.user?.email,
      hasEarlyAccess: false,
      role: "owner",
      ...profile,
    });
  });
  get(`${rest}/cloud/proxy/login/code`, (_request, response) => response.set("Cache-Control", "no-store").json({ code: mintCode() }));
  const post = (path: string, handler: Handler) => app.post(`${rest}/cloud/proxy/${path}`, signedIn, ownerOnly, handler);
  post("user/resend-confirmation-email", (_request, response) => {
    const isConfirmed = plan.read()?.isConfirmed ?? false;
    if (!isConfirmed) requests.askForConfirmationMail();
    response.json({ confirmed: isConfirmed });
  });
  post("user/event", (request, response) => {
    const { eventType } = (request.body ?? {}) as { eventType?: unknown };
    response.json({ reported: requests.reportEvent(eventType) });
  });
  // Plans are sold at the panel's prices: the editor has none to advertise, and no discount to promise.
  post("upgrade-offer", (_request, response) => {
    const path = plan.read()?.changePlanPath;
    response.json({ slug: null, plansUrl: path === undefined ? null : linkTo(path) });
  });
}
