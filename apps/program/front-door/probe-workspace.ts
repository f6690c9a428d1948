/** Requests a workspace's health path as a customer's browser would: through the gateway, by host name. */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { secondMs } from "#platform/clock.ts";

export interface GatewayAddress {
  host: string;
  port: number;
  secure?: boolean;
}

const timeoutMs = 3 * secondMs;

/** The gateway of another process, at its public URL. */
export function publicGateway(publicUrl: string): GatewayAddress {
  const { protocol, hostname, port } = new URL(publicUrl);
  const secure = protocol === "https:";
  return { host: hostname, port: Number(port) || (secure ? 443 : 80), secure };
}

/** True when the answer is 200 within 3 s; never throws. */
export function probeThroughGateway({ host, port, secure = false }: GatewayAddress, hostHeader: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const send = secure ? requestSecurely : request;
    const probe = send(
      {
        host,
        port,
        servername: secure ? hostHeader.split(":")[0] : undefined,
        path,
        headers: { host: hostHeader, accept: "application/json" },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
      },
      (answer) => {
        resolve(answer.statusCode === 200);
        // The body comes from the customer's code and may be endless.
        probe.destroy();
      },
    );
    probe.on("error", () => resolve(false));
    probe.on("close", () => resolve(false));
    probe.end();
  });
}
