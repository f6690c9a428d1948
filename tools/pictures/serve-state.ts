/** A server of the built panel whose API answers with one prepared state at a time. */
import { readFileSync, existsSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import type { RouteAnswer } from "#contract/api/route.ts";
import { problems, type ProblemCode } from "#contract/api/problem.ts";
import { routes } from "#contract/routes.ts";
import { now, type PicturedState } from "./states.ts";

type Routes = typeof routes;
type Answers = { [Name in keyof Routes]?: (state: PicturedState) => RouteAnswer<Routes[Name]> | null };

const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

/** What each call answers; null is a 404. Calls that are not here are 404, too. */
const answers: Answers = {
  me: (state) => ({
    user: {
      id: "1",
      email: "ada@acme.example",
      fullName: "Ada Lovelace",
      username: "acme-works",
      confirmed: state.confirmed,
      hasPassword: true,
      profile: { language: null, timezone: null, mutedMails: [], revision: "1" },
      account: state.account,
    },
  }),
  frontEndConfig: () => ({
    featureFlags: {},
    analytics: { postHog: null, tagManager: null },
    errorReports: null,
    engine: "n8n",
    n8nLicense: false,
    workspaceMemoryMb: 1024,
    workspaceHost: "slipway.example",
    developmentInbox: false,
    sandbox: false,
    now: now.toISOString(),
    clockAheadMs: 0,
    instanceOperations: true,
    supportEmail: "support@slipway.example",
    links: { status: "", impressum: "", privacy: "", terms: "" },
  }),
  getInstance: ({ account }) => account.instance,
  getWorkspaceUrl: () => ({ url: "https://acme-works.slipway.example" }),
  getUsedLimits: ({ usage }) => usage,
  getInstanceWebhooks: ({ usage }) => {
    const total = { calls: usage?.activeWorkflows ? 1204 : 0, clientErrors: 9, failed: 2, waited: 0, medianMs: 120, p95Ms: 480 };
    return { from: minutesAgo(24 * 60), to: now.toISOString(), spanMinutes: 15, total, points: [] };
  },
  getFirstDays: ({ firstDays }) => firstDays,
  getUserPlan: ({ account }) => account.planSpec,
  listInvitations: () => ({ invitations: [], usersLimit: -1 }),
  listBackups: ({ restore }) => ({
    backups: [],
    next: null,
    restore,
    exports: [],
    keptDays: 30,
    nextNightlyAt: minutesAgo(-9 * 60),
    hasExports: true,
    canBackUp: true,
    canExport: true,
    canRestore: true,
  }),
  getInstanceJournal: () => ({
    entries: [
      { id: "3", at: minutesAgo(4), event: "online", message: "Your workspace is now online.", detail: null, by: null },
      { id: "2", at: minutesAgo(6), event: "restart-asked", message: "A restart was requested.", detail: null, by: "Ada Lovelace" },
      { id: "1", at: minutesAgo(8 * 60), event: "backed-up", message: "The nightly backup was made and checked.", detail: null, by: null },
    ],
    next: null,
  }),
};

const types: Record<string, string> = { ".js": "text/javascript", ".html": "text/html", ".svg": "image/svg+xml", ".woff2": "font/woff2" };

export interface StateServer extends AsyncDisposable {
  url: string;
  show(state: PicturedState): void;
}

/** Serves `folder`, the built panel. */
export async function serveState(folder: string): Promise<StateServer> {
  let shown: PicturedState | undefined;
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (path.startsWith("/api/")) return shown ? answer(request.method ?? "GET", path.slice(4), shown, response) : response.end();
    const file = normalize(join(folder, path));
    const isFile = file.startsWith(folder) && extname(file) !== "" && existsSync(file);
    response.writeHead(200, { "content-type": types[isFile ? extname(file) : ".html"] ?? "application/octet-stream" });
    response.end(readFileSync(isFile ? file : join(folder, "index.html")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (state) => (shown = state),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(method: string, path: string, state: PicturedState, response: ServerResponse): void {
  const found = (Object.keys(routes) as (keyof Routes)[]).find(
    (name) => routes[name].method === method && matches(routes[name].path, path),
  );
  if (found === "instanceEvents" && state.account.instance) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: instance\ndata: ${JSON.stringify(state.account.instance)}\n\n`);
    return;
  }
  const body = found && answers[found]?.(state);
  if (!found || body === undefined || body === null) {
    response.writeHead(404, { "content-type": "application/problem+json" });
    const code: ProblemCode = routes[found ?? "me"].problems[0] ?? "not_found";
    response.end(JSON.stringify({ code, status: 404, title: problems[code].title }));
    return;
  }
  // A picture of something that the API cannot answer would prove nothing.
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(routes[found].success.body!.parse(body)));
}

const matches = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replaceAll(/:\w+/g, "[^/]+")}$`).test(path);
