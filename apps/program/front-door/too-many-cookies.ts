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

/** A browser sends about nine cookies before a head is refused. Cookies beyond these are deleted at the next reload. */
const mostNames = 100;
/** Browsers refuse answers with a head of more than 256 KB. */
const mostDeletionBytes = 48 * 1024;
const mostPathWords = 4;
/** The panel's and n8n's own are smaller together, so they stay. */
const keptBytes = 2 * 1024;
/** Each of these is smaller: where the host is unknown, it may be the panel. */
const largeBytes = 1024;

/** How long the rest of a request is read and dropped: a connection closed while bytes arrive is reset, and the answer lost. */
const drainMs = 5 * secondMs;

/** Answers a request whose cookies alone are too large, and says so with true. */
export function refuseCookies(req: IncomingMessage, res: ServerResponse, panelHost: string, panelUrl: string): boolean {
  const { cookie = "" } = req.headers;
  if (cookie.length <= mostCookieBytes) return false;
  res.setHeader("connection", "close");
  const place = { host: hostName(req.headers.host ?? ""), path: req.url ?? null };
  res.setHeader("set-cookie", deletionOf(cookie, place, panelHost, panelUrl));
  sendRefusal(req, res, refusals.cookiesTooLarge, panelUrl);
  return true;
}

type ParseError = Error & { code?: string; rawPacket?: Buffer; bytesParsed?: number };

/**
 * Answers what Node's parser refused, on the raw socket, as Node itself would; but a head that is too large because of its cookies with a page
 * and their deletion. To be called for each error of a connection: what arrives after the first is dropped. `onRefused` gets the status.
 */
export function createParseRefusal(
  panelHost: string,
  panelUrl: string,
  onRefused: (status: number, error: ParseError, socket: Duplex) => void,
): (error: ParseError, socket: Duplex) => void {
  const refused = new WeakSet<Duplex>();
  return (error, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (error.code === "ECONNRESET" || !socket.writable || hasAnswerBegun(socket)) return void socket.destroy();
    socket.on("error", () => socket.destroy());
    const cookies = error.code === "HPE_HEADER_OVERFLOW" ? cookiesIn(error) : null;
    const status = statuses[error.code ?? ""] ?? 400;
    onRefused(status, error, socket);
    if (cookies === null) return void socket.end(plainAnswer(status), () => socket.destroy());
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

const plainAnswer = (status: number): string => `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`;

/**
 * The cookies of a head that is too large, as far as they arrived; null if something else made it so. A link of another site must not
 * delete a visitor's cookies by a long path, so the header in which the limit was passed decides.
 */
function cookiesIn({ rawPacket, bytesParsed = 0 }: ParseError): (Place & { cookie: string }) | null {
  const text = rawPacket?.toString("latin1") ?? "";
  const before = text.slice(0, bytesParsed || undefined);
  const line = text.slice(before.lastIndexOf("\n") + 1).split("\r\n", 1)[0]!;
  // A packet from the middle of a header shows no name; no path or other header that a page can make long has such pairs.
  const isMiddle = !before.includes("\n") && !line.endsWith(" HTTP/1.1") && /; [^;=]+=/.test(line);
  if (!/^cookie:/i.test(line) && !isMiddle) return null;
  const host = /\nhost: *([^\r\n]+)/i.exec(before)?.[1];
  const path = /^[A-Z]+ (\/\S*) HTTP\/1\.1\r\n/.exec(before)?.[1];
  return { cookie: line.replace(/^cookie:/i, ""), host: host ? hostName(host) : null, path: path ?? null };
}

/**
 * Set-Cookie lines that delete the cookies of a request, largest first, until what is left is small. `Clear-Site-Data` would delete the
 * cookies of the whole registrable domain, and with them the session of the panel and of every workspace.
 *
 * A page sets them for a domain above it, for its own host, for a part of the paths, or partitioned: a browser deletes only what has the same
 * name, domain, path and partition. `host` and `path` are null if the part of the head with them is gone.
 */
function deletionOf(cookie: string, { host, path }: Place, panelHost: string, panelUrl: string): string[] {
  const isSecure = panelUrl.startsWith("https:");
  const isPanel = host === hostName(panelHost);
  const shared = domainsAbove(panelHost);
  const domains = host?.endsWith(`.${shared[0]}`) ? [host, ...shared] : shared;
  const lines: string[] = [];
  let bytes = 0;
  for (const { name, size } of largestFirst(cookie).slice(0, mostNames)) {
    // Browsers take these only without a domain, and for every path.
    const isHostBound = /^__host-/i.test(name);
    // A small one with this prefix is the session, where the API has a host of its own.
    const isOfHost = !isPanel && (size >= largeBytes || (host !== null && !isHostBound));
    const places = [...(isOfHost ? [""] : []), ...(isHostBound ? [] : domains.map((domain) => `; Domain=${domain}`))];
    const kinds = [isSecure && name.startsWith("__") ? "; Secure" : "", ...(isSecure ? ["; Secure; Partitioned"] : [])];
    // A browser ignores a line with neither name nor value.
    const pair = name === "" ? "=gone" : `${name}=`;
    const own = (isHostBound ? ["/"] : pathsAbove(path)).flatMap((above) =>
      places.flatMap((place) => kinds.map((kind) => `${pair}${place}; Path=${above}; Max-Age=0${kind}`)),
    );
    for (const line of own) {
      bytes += line.length;
      if (bytes > mostDeletionBytes) return lines;
      lines.push(line);
    }
  }
  return lines;
}

/** The names of the cookies that have to go so that the others, such as the session's, are few. */
function largestFirst(cookie: string): { name: string; size: number }[] {
  const sizes = new Map<string, number>();
  for (const pair of cookie.split(";")) {
    const end = pair.indexOf("=");
    // Without a name only the value is sent.
    const name = end < 0 ? "" : pair.slice(0, end).trim();
    if (/^[\x20-\x7e\x80-\xff]*$/.test(name)) sizes.set(name, (sizes.get(name) ?? 0) + pair.length);
  }
  // One that a page set without a name may look as if it had one.
  if (!sizes.has("")) sizes.set("", 0);
  let left = cookie.length;
  return [...sizes]
    .map(([name, size]) => ({ name, size }))
    .toSorted((one, other) => other.size - one.size)
    .filter(({ name, size }) => {
      const goes = left > keptBytes || name === "";
      left -= size;
      return goes;
    });
}

const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");

/** `app.example.com` and `example.com`; browsers ignore what is a public suffix. */
function domainsAbove(panelHost: string): string[] {
  const labels = hostName(panelHost).split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).map((_label, index) => labels.slice(index).join("."));
}

/** `/`, `/rest` and `/rest/` of `/rest/login?x=1`, and `/rest/login` itself: the paths of cookies that are sent to it. */
function pathsAbove(path: string | null): string[] {
  const words = (path ?? "/")
    .split(/[?#;]/, 1)[0]!
    .split("/")
    .slice(1, mostPathWords + 1);
  const above = words.flatMap((word, index) => {
    const start = `/${words.slice(0, index).join("/")}`;
    return [start === "/" ? "/" : `${start}/`, ...(word ? [`${start === "/" ? "" : start}/${word}`] : [])];
  });
  return [...new Set(["/", ...above])].filter((each) => /^[\x21-\x7e]*$/.test(each));
}

/** What the head says about where the request went, as far as it arrived together with the cookies. */
interface Place {
  host: string | null;
  path: string | null;
}

function pageThatDeletes({ cookie, ...place }: Place & { cookie: string }, panelHost: string, panelUrl: string): Buffer {
  const { status } = refusals.cookiesTooLarge;
  const body = refusalPage(refusals.cookiesTooLarge, panelHost, panelUrl);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: text/html; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `Content-Security-Policy: ${refusalPagePolicy}`,
    "Referrer-Policy: no-referrer",
    "X-Content-Type-Options: nosniff",
    ...deletionOf(cookie, place, panelHost, panelUrl).map((each) => `Set-Cookie: ${each}`),
    "Connection: close",
    "",
    "",
  ].join("\r\n");
  // Names of cookies are bytes.
  return Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)]);
}
