/** A simulated workspace's own port, enough for a gateway and health checks. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DriverFailure } from "../driver.ts";

export type PretendState = "starting" | "answering" | "silent" | "frozen";

export interface PretendServer {
  port: number;
  /** Answers the requests that arrived while frozen. */
  answerHeld(): void;
  close(): void;
}

/**
 * Listens on a free loopback port. Answers every path with 200 and `body`, with 503 while starting, not at all while silent, and late while
 * frozen.
 */
export async function startPretendServer(state: () => PretendState, body: () => object): Promise<PretendServer> {
  let held: ServerResponse[] = [];
  const answer = (response: ServerResponse): void => {
    const now = state();
    if (now === "frozen") held.push(response);
    if (now === "frozen" || now === "silent") return;
    response.writeHead(now === "answering" ? 200 : 503, { "content-type": "application/json" });
    response.end(JSON.stringify(now === "answering" ? body() : { starting: true }));
  };
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  });
  const port = await listen(server);
  return {
    port,
    answerHeld: () => {
      const waiting = held;
      held = [];
      waiting.forEach(answer);
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new DriverFailure("port_in_use", "no loopback port is free", { cause: error })));
    // A simulated workspace must not keep the program alive, just as a real one's process does not.
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)).unref();
  });
}
