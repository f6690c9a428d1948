/** Serves the panel from its sources at the public URL: Vite's server, which forwards everything else to the program. */
import { join } from "node:path";
import { root } from "./root.mjs";

/** First path segments that the program answers on the panel's own host. */
const programPaths = new Set(["api", "sandbox", "paddle", "healthz", "readyz"]);

/**
 * Whether the program answers this request: everything on a workspace's host and, on the panel's, everything but pages and source files.
 */
export function isForProgram({ url = "/", headers }, panelHost) {
  if (headers.host?.toLowerCase() !== panelHost) return true;
  return programPaths.has(url.split(/[/?]/)[1]);
}

/** Serves the panel at `publicUrl` on `port`, and forwards to the program. Returns Vite's server, already listening. */
export async function servePanel({ publicUrl, port, programPort }) {
  const { createLogger, createServer } = await import("vite");
  const panelHost = new URL(publicUrl).host;
  const target = `http://127.0.0.1:${programPort}`;
  const server = await createServer({
    configFile: join(root, "apps", "web", "vite.config.ts"),
    customLogger: withoutProxyErrors(createLogger("warn")),
    clearScreen: false,
    server: {
      port,
      strictPort: true,
      // The program makes links and checks origins by the host that the browser requested.
      proxy: { "^/": { target, ws: true, changeOrigin: false, bypass: (req) => (isForProgram(req, panelHost) ? undefined : req.url) } },
    },
  });
  return server.listen();
}

/** While the program restarts, each forwarded request fails, and would print a stack. */
function withoutProxyErrors(logger) {
  const { error } = logger;
  logger.error = (message, options) => {
    if (!/\b(?:http|ws) proxy (?:socket )?error\b/.test(message)) error(message, options);
  };
  return logger;
}
