/** Requests a workspace's health path as a customer's browser would: through the gateway, by host name. */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { GatewaySilent } from "#apps/provisioner/reconcile/gateway-silent.ts";
import { secondMs } from "#platform/clock.ts";
import type { Config } from "../settings/config.ts";
import type { Role } from "../settings/environment.ts";

export interface GatewayAddress {
  host: string;
  port: number;
  secure?: boolean;
}

const timeoutMs = 3 * secondMs;

/** Where a role answers: at this process's own port, or another process's, at GATEWAY_URL or the public URL. */
export function doorOf({ hosts, port, publicUrl, gatewayUrl, roles }: Config, role: Role): GatewayAddress {
  if (roles.has(role)) return { host: hosts.includes("::") || hosts.includes("0.0.0.0") ? "127.0.0.1" : hosts[0]!, port };
  const url = new URL((role === "gateway" && gatewayUrl) || publicUrl);
  const secure = url.protocol === "https:";
  return { host: url.hostname, port: Number(url.port) || (secure ? 443 : 80), secure };
}

/** A name that no account can have: the gateway answers for itself. */
const noName = "-";

/**
 * True when the answer is 200 within 3 s. Without any answer the gateway is asked for itself: rejects with `GatewaySilent` if it does not
 * answer that either, because then nothing is known about the workspace.
 */
export async function probeThroughGateway(gateway: GatewayAddress, hostHeader: string, path: string): Promise<boolean> {
  const status = await statusOf(gateway, hostHeader, path);
  if (status !== undefined) return status === 200;
  if ((await statusOf(gateway, hostHeader.replace(/^[^.]+/, noName), "/")) === undefined) throw new GatewaySilent();
  return false;
}

/** Undefined: no answer within 3 s. Never rejects. */
function statusOf({ host, port, secure = false }: GatewayAddress, hostHeader: string, path: string): Promise<number | undefined> {
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
        resolve(answer.statusCode);
        // The body comes from the customer's code and may be endless.
        probe.destroy();
      },
    );
    probe.on("error", () => resolve(undefined));
    probe.on("close", () => resolve(undefined));
    probe.end();
  });
}
