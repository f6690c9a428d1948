/** What is checked on a host that cannot isolate tenants: production does not run there. */
import { prepareSlipway } from "#testing/program/start-slipway.ts";
import type { Attack } from "./attack.ts";

export const refusal = (reason: string): Attack => ({
  title: "finds no workspace in production on a host that cannot keep tenants apart",
  means: "nothing",
  async run() {
    const env = {
      NODE_ENV: "production",
      SECRET_KEY: "long enough to be a key of a service",
      SMTP_URL: "smtp://127.0.0.1:1",
      PUBLIC_URL: "http://localhost:3000",
      HOST: "127.0.0.1",
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: "sk_live_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
    };
    await using slipway = await prepareSlipway({ engine: "n8n", env });
    slipway.launchProgram();
    const { code } = await slipway.ended();
    const said = slipway.output();
    const harms = [
      ...(code === 1 ? [] : [`the program ended with ${code}`]),
      ...(said.includes("can't isolate workspaces") ? [] : [`it does not say why: ${said.slice(-200)}`]),
      ...(reason === "" ? ["no reason is given"] : []),
    ];
    return { stoppedBy: reason, harms };
  },
});
