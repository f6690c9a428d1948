/** The head of a request as the workspace receives it. */

/**
 * The request cannot be written in a way that every parser reads alike. Node's parser lets no such request through; this is a second check.
 */
export class MalformedRequest extends Error {}

const unsafeTarget = /[^\x21-\x7e\x80-\xff]/;
const unsafeName = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const unsafeValue = /[^\t\x20-\x7e\x80-\xff]/;

/** With these, a server expects a body, or the length 0. */
const withPayload = new Set(["POST", "PUT", "PATCH", "QUERY", "PROPFIND", "PROPPATCH"]);

interface RequestHead {
  method: string;
  path: string;
  /** As `[name, value, …]`, without those that are meaningful for one connection only. */
  headers: readonly string[];
  hasBody: boolean;
}

/** In Latin-1, ready to be sent. A body without a length is announced in chunks. Throws MalformedRequest. */
export function requestHead({ method, path, headers, hasBody }: RequestHead): string {
  if (unsafeName.test(method) || unsafeTarget.test(path)) throw new MalformedRequest("an unsafe request line");
  // A workspace that answers HEAD with a body would have it read as the next response.
  let head = `${method} ${path} HTTP/1.1\r\nconnection: ${method === "HEAD" ? "close" : "keep-alive"}\r\n`;
  let isFramed = false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]!;
    let value = headers[index + 1]!;
    if (name === "" || unsafeName.test(name) || unsafeValue.test(value)) throw new MalformedRequest("an unsafe header");
    if (name.length === 14 && name.toLowerCase() === "content-length") {
      if (isFramed || !/^\d{1,15}$/.test(value)) throw new MalformedRequest("an ambiguous length");
      isFramed = true;
      value = String(Number(value));
    }
    head += `${name}: ${value}\r\n`;
  }
  if (isFramed) return `${head}\r\n`;
  if (hasBody) return `${head}transfer-encoding: chunked\r\n\r\n`;
  return withPayload.has(method) ? `${head}content-length: 0\r\n\r\n` : `${head}\r\n`;
}
