/**
 * What n8n's editor asks for when it is told that it runs hosted. It asks as the signed-in owner and expects
 * bodies as they are, not wrapped in `data`.
 */
import type { ExpressApp, Handler, HookContext, Internals } from "./internals.mts";
import { readProfile } from "./profile-route.mts";

/** No trial and no limits: what a plan allows is not known in here yet, so nothing is shown that may be wrong. */
const plan = {
  planId: 1,
  displayName: "Slipway",
  monthlyExecutionsLimit: -1,
  activeWorkflowsLimit: -1,
  credentialsLimit: -1,
  isActive: true,
  expirationDate: "9999-12-31T00:00:00.000Z",
  metadata: { version: "v3", group: "opt-out", slug: "pro-1" },
  userIsTrialing: false,
};

const ownerOnly: Handler = (request, response, next) =>
  request.user?.role?.slug === "global:owner" ? next() : response.status(403).json({ message: "Only the owner of this workspace may see this." });

export interface CloudRoutes {
  app: ExpressApp;
  /** n8n's own prefix, "/rest". */
  rest: string;
  context: HookContext;
  internals: Internals;
  /** A fresh code that signs this workspace's owner in to the panel. */
  mintCode: () => string;
}

/** Serves the editor's hosted calls to the owner; everyone else gets 403. */
export function mountCloudRoutes({ app, rest, context, internals, mintCode }: CloudRoutes): void {
  const signedIn = internals.auth.createAuthMiddleware({ allowSkipMFA: true });
  const get = (path: string | string[], handler: Handler) => app.get(path, signedIn, ownerOnly, handler);

  get(`${rest}/admin/cloud-plan`, (_request, response) => response.json(plan));
  // The editor asks for this one at the root.
  get(["/cloud/limits", `${rest}/cloud/limits`], async (_request, response) => {
    const activeWorkflows = await context.dbCollections.Workflow.count({ where: { active: true } });
    response.json({ timeframe: new Date().toISOString().slice(0, 7), executions: 0, activeWorkflows });
  });
  get(`${rest}/cloud/proxy/user/me`, async (request, response) => {
    const profile = await readProfile(context);
    response.json({ confirmed: true, email: request.user?.email, hasEarlyAccess: false, role: "owner", ...profile });
  });
  get(`${rest}/cloud/proxy/login/code`, (_request, response) => response.set("Cache-Control", "no-store").json({ code: mintCode() }));
  for (const path of ["user/event", "user/resend-confirmation-email", "upgrade-offer"]) {
    app.post(`${rest}/cloud/proxy/${path}`, signedIn, ownerOnly, (_request, response) => response.json({}));
  }
}
