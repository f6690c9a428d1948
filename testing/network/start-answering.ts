/** A server on this machine with configurable answers: a third-party service in a test. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface AnsweringServer extends AsyncDisposable {
  /** Without a trailing slash. */
  url: string;
  asked: { method: string; path: string; body: string }[];
}

export async function startAnswering(answer: (response: ServerResponse, body: string) => void): Promise<AnsweringServer> {
  const asked: AnsweringServer["asked"] = [];
  const answerOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    asked.push({ method: request.method ?? "", path: request.url ?? "", body });
    answer(response, body);
  };
  const server = createServer((request, response) => void answerOne(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
