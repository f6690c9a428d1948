/** The control plane's few calls, below /_slipway. Everything else is passed to Node-RED's own editor. */
import type { KnownPlan } from "../../workspace-side/known-plan.mts";
import type { Handler, Request, Response } from "../../workspace-side/handler.mts";
import { sendPage } from "../../workspace-side/page.mts";
import { readerLanguage, type Language } from "../../workspace-side/reader-language.mts";
import type { TokenVerdict } from "../../workspace-side/token-check.mts";
import { isLocalPath, type TokenAudience } from "../../workspace-side/token-claims.mts";
import type { UsageStore } from "../../workspace-side/usage-store.mts";
import { readExport } from "./export-route.mts";
import type { StorageModule } from "./internals.mts";
import { countActiveFlows } from "./quota.mts";
import type { Sessions } from "./sessions.mts";
import { signInWords } from "./sign-in-words.mts";

export interface RouteOptions {
  /** Whether the flows run, or will not for now. */
  hasBegun: () => boolean;
  panelUrl: string;
  version: string;
  check: (token: unknown, audience: TokenAudience) => TokenVerdict;
  sessions: Sessions;
  plan: KnownPlan;
  usage: UsageStore;
  storage: StorageModule;
  credentialSecret: string;
  /** Says whether it may sleep. */
  sleep: Handler;
}

interface Route {
  method: "GET" | "POST";
  audience: TokenAudience | null;
  run(request: Request, response: Response, next: Parameters<Handler>[2]): unknown;
}

/** An Express handler for `httpAdminMiddleware`: it runs before all of Node-RED's own. */
export function createRoutes(options: RouteOptions): Handler {
  const routes = buildRoutes(options);
  return async (request, response, next) => {
    // Users have no passwords here, so Node-RED's form is replaced with a link to sign in.
    if (request.method === "GET" && request.path === "/auth/login")
      return response.json(signInOffer(options.panelUrl, readerLanguage(request.headers)));
    if (request.path !== "/_slipway" && !request.path.startsWith("/_slipway/")) return next();
    const route = routes[request.path];
    if (!route || route.method !== request.method)
      return response
        .status(route && request.method === "HEAD" ? 503 : 404)
        .set("Cache-Control", "no-store")
        .send("");
    if (route.audience !== null) {
      const token = /^Bearer (\S+)$/.exec(request.headers["authorization"] ?? "")?.[1];
      const verdict = options.check(token, route.audience);
      if ("refusal" in verdict) return response.status(401).json({ message: `token refused: ${verdict.refusal}` });
    }
    try {
      await route.run(request, response, next);
    } catch (error) {
      next(error);
    }
    return undefined;
  };
}

/** The dialog in Node-RED's editor for visitors who are not signed in. */
const signInOffer = (panelUrl: string, language: Language) => ({
  type: "strategy",
  loginMessage: signInWords[language].openFromPanel,
  prompts: [{ type: "button", label: signInWords[language].toPanel, url: `${panelUrl}/dashboard` }],
});

function buildRoutes({
  hasBegun,
  panelUrl,
  version,
  check,
  sessions,
  plan,
  usage,
  storage,
  credentialSecret,
  sleep,
}: RouteOptions): Record<string, Route> {
  const countActive = async () => countActiveFlows((await storage.getFlows()) ?? []);
  return {
    "/_slipway/health": {
      method: "GET",
      audience: null,
      run: (_request, response) => response.status(hasBegun() ? 200 : 503).json({ ready: hasBegun() }),
    },
    "/_slipway/login": {
      method: "GET",
      audience: null,
      run: (request, response) => {
        // Browsers prefetch, which is not a click.
        if (/prefetch|prerender/.test(`${request.headers["sec-purpose"]} ${request.headers["purpose"]}`)) {
          return response.status(503).set("Cache-Control", "no-store").send("");
        }
        const verdict = check(request.query["token"], "login");
        const language = readerLanguage(request.headers);
        const words = signInWords[language];
        if ("refusal" in verdict) return sendPage(response, 401, { language, words: words.refusals[verdict.refusal], panelUrl });
        if (!sessions.hasOwner()) return sendPage(response, 503, { language, words: words.settingUp, panelUrl });
        const landing = verdict.claims.landingPath ?? "/";
        const path = isLocalPath(landing) ? landing : "/";
        // The editor takes the token from the address and stores it; other pages of the workspace need none.
        const to = path === "/" ? `/?access_token=${encodeURIComponent(sessions.open())}` : path;
        return response.set("Cache-Control", "no-store").set("Referrer-Policy", "no-referrer").redirect(302, to);
      },
    },
    "/_slipway/owner": {
      method: "POST",
      audience: "owner",
      run: async (request, response) => {
        const { email, change } = ((await readJson(request)) ?? {}) as { email?: unknown; change?: unknown };
        if (typeof email !== "string" || !email.includes("@")) return response.status(422).json({ message: "email is needed" });
        const wanted = email.toLowerCase();
        const there = sessions.owner();
        if (there !== null && there !== wanted && change !== true)
          return response.status(409).json({ message: "this workspace has another owner" });
        if (there !== wanted) sessions.setOwner(wanted);
        return response.status(there === null ? 201 : 200).json({ message: "owner set up" });
      },
    },
    "/_slipway/plan": {
      method: "POST",
      audience: "plan",
      run: async (request, response) =>
        plan.save(await readJson(request))
          ? response.status(200).json({ message: "plan kept" })
          : response.status(422).json({ message: "this is not a plan" }),
    },
    "/_slipway/usage": {
      method: "GET",
      audience: "usage",
      run: async (_request, response) =>
        response.json({
          plan: plan.read()?.fingerprint ?? null,
          executions: plan.used(),
          activeWorkflows: await countActive(),
          statistics: null,
          counters: usage.counters(),
        }),
    },
    "/_slipway/sleep": { method: "GET", audience: "status", run: sleep },
    "/_slipway/export": {
      method: "POST",
      audience: "export",
      run: async (request, response) => {
        const { credentialsKey } = ((await readJson(request)) ?? {}) as { credentialsKey?: unknown };
        const exported = await readExport(storage, credentialSecret, credentialsKey);
        return exported ? response.json(exported) : response.status(422).json({ message: "credentialsKey must have 32 bytes" });
      },
    },
    "/_slipway/status": {
      method: "GET",
      audience: "status",
      run: async (_request, response) => response.json({ version, activeWorkflows: await countActive() }),
    },
  };
}

const mostBytes = 100_000;

/** Node-RED reads bodies only behind its own routes. Undefined if it is not JSON, or too large. */
async function readJson(request: Request): Promise<unknown> {
  let text = "";
  for await (const part of request as unknown as AsyncIterable<Buffer>) {
    text += part.toString("utf8");
    if (text.length > mostBytes) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
