/** The methods of a path, so that a call with another one is told which there are (RFC 9110, 15.5.6). */
import type { FastifyInstance } from "fastify";

/** Notes every route that is mounted on `api` from now on. The returned function lists the methods of a URL's path; empty if there is none. */
export function noteMethods(api: FastifyInstance): (url: string) => string[] {
  const methodsOf = new Map<string, Set<string>>();
  api.addHook("onRoute", ({ method, url }) => {
    const known = methodsOf.get(url) ?? new Set();
    for (const each of [method].flat()) known.add(each);
    methodsOf.set(url, known);
  });
  return (url) => {
    const segments = url.split("?")[0]!.split("/");
    const fitting = [...methodsOf].filter(([pattern]) => fits(pattern.split("/"), segments));
    return [...new Set(fitting.flatMap(([, methods]) => [...methods]))].toSorted();
  };
}

/** Whether a path is one of a pattern's, such as `/backups/:id`. */
const fits = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
