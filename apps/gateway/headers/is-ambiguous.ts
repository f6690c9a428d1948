/** The gateway's own defense against request smuggling, in addition to Node's strict parser. */
import type { IncomingMessage } from "node:http";

/**
 * Whether two parsers could read this request differently. Node's parser refuses most such requests (a length
 * with chunks, repeated lengths). It accepts an absolute URL in the request line, several Host headers, and
 * transfer codings other than "chunked".
 */
export function isAmbiguous(req: IncomingMessage): boolean {
  if (req.url!.charCodeAt(0) !== 47 /* slash */) return true;
  const coding = req.headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || req.headers["content-length"] !== undefined)) return true;
  return req.headers.host === undefined || hasSeveralHosts(req.rawHeaders);
}

function hasSeveralHosts(raw: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < raw.length; index += 2) {
    if (raw[index]!.length === 4 && raw[index]!.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}
