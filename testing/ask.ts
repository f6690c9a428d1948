/** Real HTTP to the panel and to workspaces: some machines cannot resolve names below localhost. */
import { request, type IncomingHttpHeaders } from "node:http";

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
  /** The host to connect to, whatever the URL says. */
  connectTo?: string;
  /** The address to connect from, such as 127.0.0.7 on Linux; a service tells callers apart by it. */
  from?: string;
  timeoutMs?: number;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json<Body>(): Body;
}

/** Generous, for a machine that boots workspaces at the same time; the gateway itself holds a request for up to a minute. */
const defaultTimeoutMs = 90_000;

/** Sends one request on a new connection; follows no redirect. Rejects if no answer comes. */
export function ask(
  url: string,
  { method = "GET", headers = {}, body, connectTo = "127.0.0.1", from, timeoutMs = defaultTimeoutMs }: AskOptions = {},
): Promise<Answer> {
  const payload = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const { host, hostname, port, pathname, search } = new URL(url);
  const sent = { host, ...(payload !== undefined && typeof body !== "string" ? { "content-type": "application/json" } : {}), ...headers };
  return new Promise((resolve, reject) => {
    const target = hostname.endsWith("localhost") ? connectTo : hostname;
    const req = request(
      { host: target, port, path: pathname + search, method, headers: sent, agent: false, ...(from ? { localAddress: from } : {}) },
      (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (chunk: Buffer) => chunks.push(chunk));
        res.once("error", reject);
        res.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, json: <Body>() => JSON.parse(text) as Body });
        });
      },
    );
    req.setTimeout(timeoutMs, () => req.destroy(new Error(`no answer from ${url} within ${timeoutMs} ms`)));
    req.once("error", reject);
    req.end(payload);
  });
}
