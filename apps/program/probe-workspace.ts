/** Asks for a workspace's health path the way a customer's browser reaches it: through the gateway, by host name. */
import { request } from "node:http";

/** True when the answer is 200 within 3 s; never throws. */
export function probeThroughGateway(gateway: { host: string; port: number }, hostHeader: string, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ ...gateway, path, headers: { host: hostHeader, accept: "application/json" }, timeout: 3000, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    probe.on("timeout", () => probe.destroy());
    probe.on("error", () => resolve(false));
    probe.on("close", () => resolve(false));
    probe.end();
  });
}
