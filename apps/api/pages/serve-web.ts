/** The built panel: hashed assets for a year, the page itself never from a cache, unknown paths 404 with the app's own page. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#platform/app-error.ts";
import { escapeHtml } from "#platform/http/escape-html.ts";
import { sessionMark } from "#platform/http/session-cookie.ts";
import { defaultEngine, type EngineName } from "#contract/workspaces/engine-names.ts";
import { enHelp } from "#apps/web/src/features/help/answers.ts";
import { hasPage } from "#apps/web/src/lib/paths.ts";
import { answerProblem } from "../answer-problem.ts";
import { createBuiltPage } from "./built-page.ts";
import { pagePartsFile, readPageParts } from "./page-parts.ts";
import type { ServiceAddresses } from "../service-urls.ts";
import type { FooterLinks } from "../services.ts";
import { contentPolicy, sendAsPart, type SecurityHeadersOptions } from "../security-headers.ts";

/** What the built page says before any call is answered. */
export interface PanelOptions {
  /** Embedded in the page, so that the footer has them even if every call fails. */
  links: FooterLinks;
  engine: EngineName;
  /** Whether `/` is a page for visitors; otherwise it redirects them to the sign-in page. */
  hasFrontPage: boolean;
  /** Whether pages link to the development inbox: its lines must not appear later. */
  developmentInbox: boolean;
  /** Whether there is the bar of the payment sandbox. */
  sandbox: boolean;
  /** Whether visitors are asked for their consent to analytics, which they can change in the footer. */
  asksConsent: boolean;
}

type ServeWebOptions = SecurityHeadersOptions & PanelOptions & Pick<ServiceAddresses, "bases"> & { isElsewhere: boolean };

/**
 * The page's policy and its list of files, together: each service that the operator enables makes the policy longer. Other headers take
 * less than 1 KB, and proxies answer 502 if all headers exceed a buffer: 4 KB by nginx's default.
 */
const mostHeaderBytes = 3_000;

/** Scripts, fonts and pictures of the build, compressed or not; a worker's script has "worker" in its name. */
const isPart = /\/assets\/(?![^/]*worker)[^/]+\.(js|woff2|webp)(\.br|\.gz)?$/;

const helpAnswers = enHelp.flatMap(({ items }) => items.map(({ id }) => id));

/** Serves `folder`. Without a build, every page is 404. */
export async function serveWeb(app: FastifyInstance, folder: string, options: ServeWebOptions): Promise<void> {
  const sendPage = existsSync(join(folder, "index.html")) ? await serveBuild(app, folder, options) : undefined;
  if (sendPage) app.get("/", sendPage);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0]!;
    const wantsPage = (request.method === "GET" || request.method === "HEAD") && !/\.[a-z0-9]{2,5}$/i.test(path);
    if (!sendPage || !wantsPage) return answerProblem(new AppError("not_found"), request, reply);
    // An unknown path gets the page, which shows the error, with status 404 for programs.
    return sendPage(request, reply.code(hasPage(path, helpAnswers) ? 200 : 404));
  });
}

async function serveBuild(app: FastifyInstance, folder: string, options: ServeWebOptions) {
  const built = await readFile(join(folder, "index.html"), "utf8");
  const page = await createBuiltPage(Buffer.from(built.replace("</head>", () => `${metasOf(options)}</head>`)));
  const policy = contentPolicy(options, page.inline);
  const parts = await readPageParts(folder, {
    hasFrontPage: options.hasFrontPage,
    mostBytes: mostHeaderBytes - policy.length,
    apiBase: options.bases?.at(-1)?.[1],
  });
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // The page needs its own policy, so it is sent by `sendPage`.
    globIgnore: ["index.html*", pagePartsFile],
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(folder, "assets"));
      void reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
      if (isPart.test(path)) sendAsPart(reply);
    },
  });
  return (request: FastifyRequest, reply: FastifyReply) => {
    const link = parts.linkOf(request.url.split("?")[0]!, request.cookies[sessionMark] !== undefined);
    if (link) void reply.header("link", link);
    return page.send(request, reply.header("content-security-policy", policy));
  };
}

/** What the first page needs before any call is answered: the links, and whatever differs from the panel's defaults. */
function metasOf({ links, engine, hasFrontPage, developmentInbox, sandbox, asksConsent, bases, isElsewhere }: ServeWebOptions): string {
  const first = {
    ...(engine === defaultEngine ? {} : { engine }),
    ...(hasFrontPage ? { hasFrontPage } : {}),
    ...(developmentInbox ? { developmentInbox } : {}),
    ...(sandbox ? { sandbox } : {}),
    ...(asksConsent ? { asksConsent } : {}),
    ...(bases ? { bases } : {}),
    ...(isElsewhere ? { isElsewhere } : {}),
  };
  const meta = (name: string, value: object) => `<meta name="${name}" content="${escapeHtml(JSON.stringify(value))}">`;
  return meta("slipway-links", links) + (Object.keys(first).length > 0 ? meta("slipway-first-page", first) : "");
}
