/**
 * A page of a workspace can set cookies for the panel's domain and all workspaces (or the whole domain above them), which the visitor's
 * browser then sends everywhere: enough of them, and every request is too large, until they are deleted. The answer deletes them.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { secondMs } from "#platform/clock.ts";
import { refusals } from "../../gateway/refusals/refusal.ts";
import { refusalPage, refusalPagePolicy } from "../../gateway/refusals/refusal-page.ts";
import { sendRefusal } from "../../gateway/refusals/send-refusal.ts";

/** The panel and n8n set about 1 KB. A workspace's own server refuses heads of 16 KB, without deleting anything. */
const mostCookieBytes = 12 * 1024;

/** A browser sends about nine cookies before a head is refused; each is deleted on every domain above the panel. */
const mostNames = 100;

/** How long the rest of a request is read and dropped: a connection closed while bytes arrive is reset, and the answer lost. */
const drainMs = 5 * secondMs;

/** Answers a request whose cookies alone are too large, and says so with true. */
export function refuseCookies(req: IncomingMessage, res: ServerResponse, panelHost: string, panelUrl: string): boolean {
  const { cookie = "" } = req.headers;
  if (cookie.length <= mostCookieBytes) return false;
  res.setHeader("connection", "close");
  for (const [name, value] of Object.entries(deletionOf(cookie, panelHost, panelUrl))) res.setHeader(name, value);
  sendRefusal(req, res, refusals.cookiesTooLarge, panelUrl);
  return true;
}

type ParseError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

/**
 * Answers what Node's parser refused, on the raw socket, as Node itself would; but a head that is too large because of its cookies with a page
 * and their deletion. To be called for each error of a connection: what arrives after the first is dropped.
 */
export function createParseRefusal(panelHost: string, panelUrl: string): (error: ParseError, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable || hasAnswerBegun(socket)) return void socket.destroy();
    socket.on("error", () => socket.destroy());
    const cookies = error.code === "HPE_HEADER_OVERFLOW" ? cookiesIn(error) : null;
    if (cookies === null) return void socket.end(plainAnswer(error), () => socket.destroy());
    socket.end(pageThatDeletes(cookies, panelHost, panelUrl));
    const timer = setTimeout(() => socket.destroy(), drainMs);
    timer.unref();
    socket.once("close", () => clearTimeout(timer));
  };
}

/** Half an answer must not be followed by another. */
const hasAnswerBegun = (socket: Duplex): boolean =>
  (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;

const statuses: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function plainAnswer({ code = "" }: ParseError): string {
  const status = statuses[code] ?? 400;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;
}

/**
 * The cookies of a head that is too large, as far as they arrived; null if something else made it so. A link of another site must not
 * delete a visitor's cookies by a long path, so the header in which the limit was passed decides.
 */
function cookiesIn({ rawPacket, bytesParsed = 0 }: ParseError): string | null {
  const text = rawPacket?.toString("latin1") ?? "";
  const before = text.slice(0, bytesParsed || undefined);
  const line = text.slice(before.lastIndexOf("\n") + 1).split("\r\n", 1)[0]!;
  // A packet from the middle of a header shows no name; no path or other header that a page can make long has such pairs.
  const isMiddle = !before.includes("\n") && !line.endsWith(" HTTP/1.1") && /; [\w!#$%&'*+.^`|~-]+=/.test(line);
  return /^cookie:/i.test(line) || isMiddle ? line.replace(/^cookie:/i, "") : null;
}

interface Deletion {
  "clear-site-data"?: string;
  "set-cookie": string[];
}

/**
 * Headers that delete cookies: all of them in browsers that know how, and those that were sent in all others. Without https browsers ignore
 * the first, and Chromium the second beside it.
 */
function deletionOf(cookie: string, panelHost: string, panelUrl: string): Deletion {
  const names = new Set(cookie.split(";").map((pair) => pair.split("=", 1)[0]!.trim()));
  const valid = [...names].filter((name) => /^[\w!#$%&'*+.^`|~-]{1,256}$/.test(name)).slice(0, mostNames);
  const domains = domainsAbove(panelHost);
  return {
    ...(panelUrl.startsWith("https:") && { "clear-site-data": '"cookies"' }),
    // Cookies for one host alone, such as the panel's session, have no domain and stay.
    "set-cookie": valid.flatMap((name) => domains.map((domain) => `${name}=; Domain=${domain}; Path=/; Max-Age=0`)),
  };
}

/** `app.example.com` and `example.com`; browsers ignore what is a public suffix. */
function domainsAbove(panelHost: string): string[] {
  const labels = panelHost.replace(/:\d+$/, "").split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_label, index) => labels.slice(index).join("."));
}

function pageThatDeletes(cookie: string, panelHost: string, panelUrl: string): string {
  const { status } = refusals.cookiesTooLarge;
  const body = refusalPage(refusals.cookiesTooLarge, panelHost, panelUrl);
  const deletion = deletionOf(cookie, panelHost, panelUrl);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: text/html; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `Content-Security-Policy: ${refusalPagePolicy}`,
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    ...(deletion["clear-site-data"] ? [`Clear-Site-Data: ${deletion["clear-site-data"]}`] : []),
    ...deletion["set-cookie"].map((each) => `Set-Cookie: ${each}`),
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
