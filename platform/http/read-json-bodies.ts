/** Reads JSON bodies strictly as UTF-8: a byte that is none would be stored as "�", in a name on an invoice for example. */
import type { FastifyInstance } from "fastify";
import { AppError } from "../app-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Refuses (AppError) `unsupported_media_type` for another charset or a compressed body, `bad_request` for what is not UTF-8 or not JSON. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
    const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? "utf-8";
    if (!/^utf-?8$/i.test(charset) || encoding.toLowerCase() !== "identity")
      return done(new AppError("unsupported_media_type", { internal: `${charset}, ${encoding}` }));
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch (cause) {
      return done(new AppError("bad_request", { cause, internal: "not UTF-8" }));
    }
    return void parse(request, text, done);
  });
}
