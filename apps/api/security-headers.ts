/** Headers that keep the panel the panel: nothing from elsewhere runs in it, frames it, or sniffs it. */
import helmet from "@fastify/helmet";
import fp from "fastify-plugin";
import type { OutsideSources } from "./outside-sources.ts";

/** `secure`: the panel is served over https, possibly by a proxy in front. `outside`: who else may be talked to. */
export const securityHeaders = fp<{ secure: boolean; outside: OutsideSources }>(async (app, { secure, outside }) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...outside.script],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:", ...outside.image],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...outside.connect],
        frameSrc: ["'self'", ...outside.frame],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    frameguard: { action: "deny" },
    crossOriginOpenerPolicy: { policy: "same-origin" },
    crossOriginResourcePolicy: { policy: "same-origin" },
  });
  app.addHook("onRequest", async (_request, reply) => void reply.header("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(self)"));
});
