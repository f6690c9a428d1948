/** Sends a refusal in the form the caller accepts: a page, JSON, plain text, or a raw response to an upgrade. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { acceptedLanguage } from "#contract/accounts/language.ts";
import { isReading } from "../headers/is-reading.ts";
import { drainRequest } from "../upstream/request-body.ts";
import type { Refusal } from "./refusal.ts";
import { refusalPage, refusalPagePolicy } from "./refusal-page.ts";

/** Whether this is a person opening a page in a browser, and not a program, nor a part of another site's page such as an embedded form. */
export function isNavigation(req: IncomingMessage): boolean {
  return isReading(req.method) && wantsHtml(req.headers.accept) && !isFramed(req);
}

/** Our pages cannot be shown in a frame, and could not continue there. */
const isFramed = (req: IncomingMessage): boolean => /^(iframe|frame|embed|object)$/.test(String(req.headers["sec-fetch-dest"]));

/** The page is isolated: it cannot be framed, cached or opened with access to its window, and sends no referrer. */
const refusalHeaders = {
  "cache-control": "no-store",
  "content-security-policy": refusalPagePolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
  "referrer-policy": "no-referrer",
  vary: "accept, accept-language",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
};

/**
 * For scripts of other sites' pages, which call webhooks: what is refused, and when to try again. A refusal contains nothing that a visitor
 * could not read.
 */
const readableFrom = (origin: string): Record<string, string> => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "retry-after",
  "cross-origin-resource-policy": "cross-origin",
  vary: `${refusalHeaders.vary}, origin`,
});

/** Whether a browser asks what it may send before it sends it. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;

/** Lets the browser send the request itself, whose refusal the page can then read. Not kept: the workspace has rules of its own. */
function allowRequest({ headers }: IncomingMessage, res: ServerResponse): void {
  const asked = headers["access-control-request-headers"];
  res.writeHead(204, {
    ...refusalHeaders,
    ...readableFrom(headers.origin!),
    "access-control-allow-methods": headers["access-control-request-method"]!,
    ...(asked !== undefined && { "access-control-allow-headers": asked }),
  });
  res.end();
}

/** Sends the refusal and discards the rest of the request, so that the caller gets to read the response. */
export function sendRefusal(req: IncomingMessage, res: ServerResponse, refusal: Refusal, panelUrl: string): void {
  if (res.headersSent || res.destroyed) return;
  if (isPreflight(req)) return allowRequest(req, res);
  const { origin } = req.headers;
  const { type, text } = render(refusal, req, panelUrl);
  const body = Buffer.from(text);
  const headers: Record<string, string | number> = {
    "content-type": type,
    "content-length": body.length,
    ...refusalHeaders,
    ...(origin !== undefined && readableFrom(origin)),
    ...strictTransport(panelUrl),
  };
  if (refusal.retryAfterSeconds !== undefined) headers["retry-after"] = refusal.retryAfterSeconds;
  res.writeHead(refusal.status, headers);
  res.end(req.method === "HEAD" ? undefined : body);
  drainRequest(req);
}

/**
 * Sends the answer of a sleeping workspace's tool to a call of a webhook that it does not have. Scripts of other sites' pages can read it, as
 * they can a refusal.
 */
export function sendUnowned(req: IncomingMessage, res: ServerResponse, json: string, panelUrl: string): void {
  if (res.headersSent || res.destroyed) return;
  if (isPreflight(req)) return allowRequest(req, res);
  const { origin } = req.headers;
  const isAsked = req.method === "OPTIONS";
  res.writeHead(isAsked ? 204 : 404, {
    ...(!isAsked && { "content-type": "application/json; charset=utf-8", "content-length": Buffer.byteLength(json) }),
    ...(origin !== undefined && readableFrom(origin)),
    vary: origin === undefined ? "Accept-Encoding" : "Accept-Encoding, Origin",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-slipway-workspace": "asleep",
    ...strictTransport(panelUrl),
  });
  res.end(isAsked || req.method === "HEAD" ? undefined : json);
  drainRequest(req);
}

const robots = "User-agent: *\nDisallow: /\n";

/**
 * Sends crawlers away, in the workspace's name and whatever state it is in: they keep this answer for a day, and take a 503 for a request to
 * come again.
 */
export function sendRobots(req: IncomingMessage, res: ServerResponse, panelUrl: string): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(200, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(robots),
    "cache-control": "public, max-age=86400",
    "x-content-type-options": "nosniff",
    ...strictTransport(panelUrl),
  });
  res.end(req.method === "HEAD" ? undefined : robots);
  drainRequest(req);
}

/** Only on the gateway's own responses; for a workspace's responses the header is not ours to set. */
const strictTransport = (panelUrl: string): Record<string, string> =>
  panelUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {};

/** Refuses an upgrade with a plain HTTP response on the raw socket, and closes it. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  if (socket.destroyed || !socket.writable) return void socket.destroy();
  const body = `${refusal.title}. ${refusal.detail}\n`;
  const retry = refusal.retryAfterSeconds === undefined ? "" : `Retry-After: ${refusal.retryAfterSeconds}\r\n`;
  socket.end(
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n${retry}Connection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function wantsHtml(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes("text/html");
}

function render(refusal: Refusal, { headers, method }: IncomingMessage, panelUrl: string): { type: string; text: string } {
  const { accept, host = "" } = headers;
  if (wantsHtml(accept)) {
    const language = acceptedLanguage(headers["accept-language"]);
    return { type: "text/html; charset=utf-8", text: refusalPage(refusal, host, panelUrl, language, method) };
  }
  if (accept?.includes("text/plain") && !accept.includes("json")) {
    return { type: "text/plain; charset=utf-8", text: `${refusal.title}. ${refusal.detail}\n` };
  }
  const { status, code, title, detail } = refusal;
  return {
    type: "application/problem+json",
    text: `${JSON.stringify({ type: "about:blank", title, status, code, detail, error: title })}\n`,
  };
}
