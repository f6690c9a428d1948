/** Represents the range service of Have I Been Pwned: a real server on the loopback with known leaks, or with the answer a test sets. */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface RangeService extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  /** Leaked passwords. */
  leaked: Set<string>;
  /** Requests, in order. */
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** Replaces the usual answer. */
  answer: ((response: ServerResponse) => void) | null;
}

const sha1 = (password: string): string => createHash("sha1").update(password).digest("hex").toUpperCase();
const madeUp = (): string => randomBytes(18).toString("hex").toUpperCase().slice(0, 35);

/** Some hundred lines, as in the documentation; the padding contains the hashes of `padding` with a count of zero. */
export function rangeOf(prefix: string, leaked: Iterable<string>, padding: Iterable<string> = []): string {
  const suffixes = (passwords: Iterable<string>) =>
    [...passwords]
      .map(sha1)
      .filter((hash) => hash.startsWith(prefix))
      .map((hash) => hash.slice(5));
  const lines = [
    ...suffixes(leaked).map((suffix) => `${suffix}:3861493`),
    ...suffixes(padding).map((suffix) => `${suffix}:0`),
    ...Array.from({ length: 800 }, (_, index) => `${madeUp()}:${index % 2}`),
  ];
  return lines.toSorted().join("\r\n");
}

/** Listens on its own port. */
export async function startRangeService(): Promise<RangeService> {
  const server = createServer((request, response) => {
    service.asked.push({ path: request.url ?? "", headers: request.headers });
    if (service.answer) return service.answer(response);
    response
      .setHeader("content-type", "text/plain")
      .end(rangeOf(/\/range\/([0-9A-F]{5})$/.exec(request.url ?? "")?.[1] ?? "none", service.leaked));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const service: RangeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/range`,
    leaked: new Set(),
    asked: [],
    answer: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return service;
}
