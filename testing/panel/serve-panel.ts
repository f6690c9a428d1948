/**
 * The built panel with a stand-in of the API behind it: the same frame, shapes and refusals as the API's (apps/api/build-frame.ts), and
 * answers that a test chooses in place of a database, a payment provider and a workspace. For tests of what the panel shows and sends.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { buildFrame } from "#apps/api/build-frame.ts";
import type { PanelOptions } from "#apps/api/pages/serve-web.ts";
import { outsideSources, type OutsideServices } from "#apps/api/outside-sources.ts";
import type { RouteAnswer, RouteContract } from "#contract/api/route.ts";
import { routes } from "#contract/routes.ts";
import type { Instance } from "#contract/workspaces/workspace.ts";
import { createNodeCatalogue } from "#domain/node-catalogue/create-node-catalogue.ts";
import { nodeCatalogueRoutes } from "#domain/journeys/node-catalogue/route.ts";
import type { Mount as MountOf } from "#platform/http/mount.ts";
import type { OpenedSession } from "#platform/http/refuse-session.ts";
import { clearSessionCookie, restoreSessionMark, sessionCookie, sessionToken, setSessionCookie } from "#platform/http/session-cookie.ts";
import { streamEvents } from "#platform/http/stream-events.ts";
import { createLog } from "#platform/log.ts";
import { newId } from "#platform/ids.ts";
import { pageTimeoutMs } from "../browser/chromium.ts";
import { sessionCookies } from "../browser/session-cookies.ts";
import { watchPages, type PageWatch } from "../browser/watch-page.ts";
import { AnsweredFile } from "./answered-file.ts";
import { buildPanelState, usualAnswers, type Answers, type PanelState, type RouteName } from "./panel-answers.ts";

/** A call that the panel made. */
export interface MadeCall {
  name: RouteName;
  body: unknown;
  params: unknown;
  query: unknown;
}

/** One of the panel's users, or a visitor without a session: what the stand-in knows and answers, and what it was asked. */
export interface PanelPerson {
  token: string;
  /** How the session was opened; typing the password in the panel makes it `password`. */
  openedBy: OpenedSession["openedBy"];
  state: PanelState;
  /** What this person's calls answer; other calls answer as usual (`usualAnswers`). */
  answers: Answers;
  calls: MadeCall[];
  /** The bodies of the calls of this name, in order. */
  sent(name: RouteName): unknown[];
  /** The workspace is different now: open pages are notified, as by the service. */
  workspaceIs(changes: Partial<Instance>): void;
  /** Sends what the open streams answer now. */
  notify(): void;
  /** The service ends the session: the next call is refused. */
  endSession(): void;
}

export interface PanelServer extends AsyncDisposable {
  url: string;
  app: FastifyInstance;
  /** Whoever calls without a session. */
  visitor: PanelPerson;
  /** A user with a session, whose state differs from the usual one by `changes`. */
  signIn(changes?: Parameters<typeof buildPanelState>[0]): PanelPerson;
  /** A new browser profile, signed in as this person. Its pages may take as long as other tests' pages. */
  contextFor(
    browser: Browser,
    person?: PanelPerson,
    size?: { width: number; height: number },
    options?: Omit<BrowserContextOptions, "viewport">,
  ): Promise<BrowserContext & { watch: PageWatch }>;
  /** The service is gone, as during a restart: its connections are closed, and no new ones are accepted until `start`. */
  stop(): Promise<void>;
  /** It answers again, at the same address. */
  start(): Promise<void>;
  /** Calls for which neither the test nor `usualAnswers` has an answer: they were answered with 500. */
  unanswered: RouteName[];
}

export interface PanelServerOptions {
  /** Folder of the built panel. */
  folder?: string;
  panel?: Partial<PanelOptions>;
  outside?: Partial<OutsideServices>;
}

const builtPanel = fileURLToPath(new URL("../../apps/web/dist", import.meta.url));
const cookie = sessionCookie(false);
const dayMs = 86_400_000;

/** A session's person; `userId` is what the frame compares with the page's. */
interface SignedIn extends OpenedSession {
  userId: string;
  person: PanelPerson;
}

type Mount = MountOf<SignedIn>;

/** Serves the built panel, which `npm test` builds first. */
export async function servePanel({ folder = builtPanel, panel = {}, outside = {} }: PanelServerOptions = {}): Promise<PanelServer> {
  const people = new Map<string, PanelPerson>();
  const unanswered: RouteName[] = [];
  const visitor = createPerson("");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;

  const personOf = (request: FastifyRequest): PanelPerson => people.get(sessionToken(request, cookie) ?? "") ?? visitor;

  function createPerson(token: string, changes: Parameters<typeof buildPanelState>[0] = {}): PanelPerson {
    const followers = new Set<() => void>();
    const person: PanelPerson & { followers: Set<() => void> } = {
      token,
      openedBy: "password",
      followers,
      state: buildPanelState(changes),
      answers: {},
      calls: [],
      sent: (name) => person.calls.filter((call) => call.name === name).map(({ body }) => body),
      workspaceIs(changes) {
        const { account } = person.state.user;
        if (!account.instance) throw new Error("there is no workspace to change");
        account.instance = { ...account.instance, ...changes };
        person.notify();
      },
      notify: () => followers.forEach((follower) => follower()),
      // Its streams end with their next heartbeat, as the API's do.
      endSession: () => void people.delete(token),
    };
    return person;
  }

  const answerOf = async (name: RouteName, person: PanelPerson, asked: Pick<MadeCall, "body" | "params" | "query">) => {
    const answer = person.answers[name] ?? usualAnswers[name];
    if (!answer) {
      unanswered.push(name);
      throw new Error(`the stand-in of the API has no answer to ${name}`);
    }
    return (answer as (asked: object, state: PanelState) => unknown)(asked, person.state);
  };

  function mountCall(mount: Mount, name: RouteName): void {
    const route: RouteContract = routes[name];
    const answerCall: Parameters<Mount>[1] = async ({ body, params, query, request, reply }) => {
      const person = personOf(request);
      const asked = { body, params, query };
      person.calls.push({ name, ...asked });
      if (route.success.stream) return stream(request, reply, name, person, asked);
      const answer = await answerOf(name, person, asked);
      if (name === "me") restoreSessionMark(request, reply, cookie);
      if (name === "logOut") {
        person.endSession();
        clearSessionCookie(reply, cookie);
      }
      if (name === "confirmPassword") person.openedBy = "password";
      // A call that opens a session answers with its token.
      const { token } = (answer ?? {}) as { token?: string };
      if (token !== undefined && people.has(token)) setSessionCookie(reply, cookie, token, dayMs);
      if (answer instanceof AnsweredFile) {
        void reply.type(answer.type).header("content-disposition", `inline; filename="${answer.name}"`);
        return answer.content as RouteAnswer<typeof route>;
      }
      return answer as RouteAnswer<typeof route>;
    };
    mount(route, answerCall, route.writes ? { head: async () => undefined } : {});
  }

  async function stream(
    request: FastifyRequest,
    reply: FastifyReply,
    name: RouteName,
    person: PanelPerson,
    asked: Pick<MadeCall, "body" | "params" | "query">,
  ): Promise<void> {
    // Refused before the stream begins, as by the API.
    await answerOf(name, person, asked);
    const { followers } = person as PanelPerson & { followers: Set<() => void> };
    await streamEvents(request, reply, {
      event: name === "instanceOutput" ? "output" : "instance",
      read: async () => (people.has(person.token) ? routes[name].success.body!.parse(await answerOf(name, person, asked)) : null),
      follow(onChange) {
        followers.add(onChange);
        return () => followers.delete(onChange);
      },
    });
  }

  const catalogue = createNodeCatalogue(null);
  const withCatalogue: RouteName[] = ["graphql", "nodeIcon"];
  const app = await buildFrame<SignedIn>(
    {
      log: createLog("silent"),
      publicUrl: url,
      cookie,
      headers: {
        secure: false,
        outside: outsideSources({
          challenge: "off",
          analytics: { postHog: null, tagManager: null },
          sentryDsn: undefined,
          sentryEnvironment: "development",
          ...outside,
        }),
      },
      trustedProxyHops: 0,
      callsPerMinute: 1_000_000,
      webFolder: folder,
      panel: {
        links: visitor.state.config.links,
        engine: "n8n",
        hasFrontPage: false,
        developmentInbox: false,
        sandbox: false,
        asksConsent: false,
        ...panel,
      },
    },
    {
      findCurrentUser: async (token) => {
        const person = people.get(token);
        if (!person) return null;
        const { openedBy, state } = person;
        const passwordTypedAt = openedBy === "password" ? new Date() : null;
        return { userId: state.user.id, person, sessionId: token, openedBy, passwordTypedAt };
      },
      now: () => new Date(),
      async calls(mount) {
        nodeCatalogueRoutes(mount as never, { nodeCatalogue: catalogue, introspection: true });
        for (const name of Object.keys(routes) as RouteName[]) if (!withCatalogue.includes(name)) mountCall(mount, name);
      },
    },
  );
  server.on("request", (request, response) => app.routing(request, response));

  return {
    url,
    app,
    visitor,
    unanswered,
    signIn(changes) {
      const person = createPerson(newId(), changes);
      people.set(person.token, person);
      return person;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      if (server.listening) return;
      await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), "127.0.0.1", resolve));
    },
    async contextFor(browser, person, viewport = { width: 1440, height: 900 }, more = {}) {
      const context = await browser.newContext({ ...more, viewport });
      context.setDefaultTimeout(pageTimeoutMs);
      if (person) await context.addCookies(sessionCookies(person.token, url));
      return Object.assign(context, { watch: await watchPages(context, `${url}/`) });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await app.close();
    },
  };
}
