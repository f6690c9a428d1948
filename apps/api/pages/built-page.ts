/**
 * A page that does not change while the program runs. The page and the hashes of its inline script and styles for the content
 * security policy come from the same bytes, so they always match.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { InlineSources } from "../security-headers.ts";

interface BuiltPage {
  readonly inline: InlineSources;
  /** Sends the page in the best compression the browser accepts, or 304 if the browser has it. `variesBy`: the headers by which this page was chosen. */
  send(request: FastifyRequest, reply: FastifyReply, variesBy?: string): FastifyReply;
}

/** Compresses the page once. Only inline scripts and styles without attributes get a hash. */
export async function createBuiltPage(plain: Buffer): Promise<BuiltPage> {
  const html = plain.toString("utf8");
  const bodies = {
    br: await promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    gzip: await promisify(gzip)(plain),
  };
  // Weak: the same page in every compression.
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url")}"`;
  return {
    inline: { script: hashes(html, "script"), style: hashes(html, "style") },
    send: (request, reply, variesBy) => {
      const vary = variesBy ? `accept-encoding, ${variesBy}` : "accept-encoding";
      void reply.headers({ "cache-control": "no-cache", "content-type": "text/html; charset=utf-8", etag, vary });
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

/** The best encoding that the browser accepts; a weight of 0 means that it does not. */
function chooseEncoding(accepted: unknown): "br" | "gzip" | undefined {
  const taken = String(accepted ?? "")
    .split(",")
    .filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
    .map((item) => item.split(";")[0]!.trim().toLowerCase());
  return (["br", "gzip"] as const).find((encoding) => taken.includes(encoding));
}
