/** Security headers of the panel: no foreign code runs in it, and no other page frames it. */
import type { FastifyReply } from "fastify";
import fp from "fastify-plugin";
import type { OutsideSources } from "./outside-sources.ts";

export interface SecurityHeadersOptions {
  /** Whether the panel is served over https, possibly by a proxy in front. */
  secure: boolean;
  /** Third-party hosts that the panel may use. */
  outside: OutsideSources;
}

/** Hashes of a page's inline scripts and styles. */
export interface InlineSources {
  script: readonly string[];
  style: readonly string[];
}

/** Sets the headers on every response, refusals included. A route may replace them. */
export const securityHeaders = fp<SecurityHeadersOptions>(async (app, options) => {
  // Built once: building them per response would cost more than the rest of a small request.
  const headers = buildHeaders(options);
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
});

/** The headers of every response of the panel. */
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
    // Off, because the filter of old browsers could itself be exploited.
    "x-xss-protection": "0",
  };
}

/** What a browser reads only in answers that become a page or a worker: they decide what runs there, and what that may reach. */
const ofPages = [
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
] as const;

/** Opened as a page, which only shows its text, such a file loads nothing and cannot be framed. */
const policyOfParts = "default-src 'none';frame-ancestors 'none'";

/**
 * For a script, font or picture, which only other pages use: half a kilobyte less in each of the many files that the first view waits for.
 * Headers that protect its type, and against other sites and plain http, stay. Never for SVG, which can run scripts when opened directly,
 * nor for a worker, whose response carries the policy that applies to it.
 */
export function sendAsPart(reply: FastifyReply): void {
  for (const name of ofPages) void reply.removeHeader(name);
  void reply.header("content-security-policy", policyOfParts);
}

/** Allows nothing inline and nothing from other hosts, except what the operator's settings enable and the page's own `inline` hashes. */
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
