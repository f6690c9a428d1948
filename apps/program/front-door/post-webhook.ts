/** Delivers the sandbox's events to this service over HTTP, as a real provider does. */
import { request } from "node:http";
import { request as requestSecurely } from "node:https";
import { secondMs } from "#platform/clock.ts";
import type { PostWebhook } from "#payments/sandbox/webhooks/deliver-webhooks.ts";
import type { GatewayAddress } from "./probe-workspace.ts";

/** Paddle's own timeout. */
const answerTimeoutMs = 5 * secondMs;

/** Posts to the sandbox's webhook path at a front door, under the panel's host name. */
export function postWebhookTo({ host, port, secure = false }: GatewayAddress, panelHost: string): PostWebhook {
  const send = secure ? requestSecurely : request;
  return (headers, rawBody) =>
    new Promise((resolve, reject) => {
      const post = send(
        {
          method: "POST",
          host,
          port,
          servername: secure ? panelHost.split(":")[0] : undefined,
          path: "/api/webhooks/sandbox",
          headers: { ...headers, host: panelHost, "content-length": rawBody.length },
          timeout: answerTimeoutMs,
          agent: false,
        },
        (answer) => {
          answer.resume();
          answer.once("end", () => resolve(answer.statusCode ?? 0));
          answer.once("error", reject);
        },
      );
      post.once("timeout", () => post.destroy(new Error("there was no answer in time")));
      post.once("error", reject);
      post.end(rawBody);
    });
}
