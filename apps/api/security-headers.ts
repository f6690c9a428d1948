/** Headers that keep the panel the panel: nothing from elsewhere runs in it, frames it, or sniffs it. */
import fp from "fastify-plugin";
import type { OutsideSources } from "./outside-sources.ts";

export interface SecurityHeadersOptions {
  /** The panel is served over https, possibly by a proxy in front. */
  secure: boolean;
  /** Who else may be talked to. */
  outside: OutsideSources;
}

/** What stands in a page itself and may act there: each by its hash. */
export interface InlineSources {
  script: readonly string[];
  style: readonly string[];
}

/** On every answer of the application, also of refusals; a route may replace one of them for itself. */
export const securityHeaders = fp<SecurityHeadersOptions>(async (app, options) => {
  // Written once: made anew for each answer they cost more than the rest of a small request.
  const headers = buildHeaders(options);
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
});

/** What every answer of the panel carries, whatever it is. */
export function buildHeaders(options: SecurityHeadersOptions): Record<string, string> {
  const { secure } = options;
  return {
    "content-security-policy": contentPolicy(options),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), display-capture=(), payment=(self)",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(secure ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {}),
    "x-content-type-options": "nosniff",
    "x-dns-prefetch-control": "off",
    "x-download-options": "noopen",
    "x-frame-options": "DENY",
    "x-permitted-cross-domain-policies": "none",
    // Off: the filter of old browsers could itself be used for attacks.
    "x-xss-protection": "0",
  };
}

/** Nothing inline, nothing from elsewhere, but for what the operator's settings name and, on the page that has them, `inline`. */
export function contentPolicy({ secure, outside }: SecurityHeadersOptions, inline: InlineSources = { script: [], style: [] }): string {
  const directives: Record<string, readonly string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", ...inline.script, ...outside.script],
    "style-src": ["'self'", ...inline.style],
    "img-src": ["'self'", "data:", ...outside.image],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...outside.connect],
    "frame-src": ["'self'", ...outside.frame],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(secure ? { "upgrade-insecure-requests": [] } : {}),
  };
  return Object.entries(directives)
    .map((directive) => directive.flat().join(" "))
    .join(";");
}
