/**
 * A page that stays as it is while the program runs: what is sent and the hashes by which the content-security policy allows
 * the script and the styles in it come from the same bytes, so that neither can be older than the other.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { InlineSources } from "../security-headers.ts";

export interface BuiltPage {
  readonly inline: InlineSources;
  /** Answers with the page, compressed as the browser can read it, or with 304 to a browser that has it. */
  send(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** Compresses the page once; only scripts and styles without any attribute are allowed by their hash. */
export async function createBuiltPage(plain: Buffer): Promise<BuiltPage> {
  const html = plain.toString("utf8");
  const bodies = {
    br: await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    gzip: await promisify(gzip)(plain),
  };
  // Weak: the same page, however it is compressed.
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url")}"`;
  return {
    inline: { script: hashes(html, "script"), style: hashes(html, "style") },
    send: (request, reply) => {
      void reply.headers({ "cache-control": "no-cache", "content-type": "text/html; charset=utf-8", etag, vary: "accept-encoding" });
      if (reply.statusCode === 200 && request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
      const encoding = chooseEncoding(request.headers["accept-encoding"]);
      return encoding ? reply.header("content-encoding", encoding).send(bodies[encoding]) : reply.send(plain);
    },
  };
}

function hashes(html: string, element: "script" | "style"): string[] {
  const inside = new RegExp(`<${element}>(.*?)</${element}>`, "gs");
  return [...html.matchAll(inside)].map(([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`);
}

/** The smallest that the browser takes; what it gives the weight 0, it does not take. */
function chooseEncoding(accepted: unknown): "br" | "gzip" | undefined {
  const taken = String(accepted ?? "")
    .split(",")
    .filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
    .map((item) => item.split(";")[0]!.trim().toLowerCase());
  return (["br", "gzip"] as const).find((encoding) => taken.includes(encoding));
}
