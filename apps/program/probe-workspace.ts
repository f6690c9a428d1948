/** Asks for a workspace's health path the way a customer's browser reaches it: through the gateway, by host name. */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";

export interface GatewayAddress {
  host: string;
  port: number;
  secure?: boolean;
}

/** The gateway of another process, which can only be asked where everybody asks it. */
export function publicGateway(publicUrl: string): GatewayAddress {
  const { protocol, hostname, port } = new URL(publicUrl);
  const secure = protocol === "https:";
  return { host: hostname, port: Number(port) || (secure ? 443 : 80), secure };
}

/** True when the answer is 200 within 3 s; never throws. */
export function probeThroughGateway({ host, port, secure = false }: GatewayAddress, hostHeader: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const send = secure ? requestSecurely : request;
    const probe = send({ host, port, servername: secure ? hostHeader.split(":")[0] : undefined, path, headers: { host: hostHeader, accept: "application/json" }, timeout: 3000, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    probe.on("timeout", () => probe.destroy());
    probe.on("error", () => resolve(false));
    probe.on("close", () => resolve(false));
    probe.end();
  });
}
