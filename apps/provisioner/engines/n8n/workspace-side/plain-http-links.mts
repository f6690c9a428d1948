/**
 * n8n's editor expects the panel at https, one label above the workspace, and says so in one of its scripts. That is right
 * wherever customers are; on a developer's machine the panel has no https, so there this script gets the panel's address.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExpressApp } from "./internals.mts";

const expected = /https:\/\/\$\{[\w$]+\}\/login/;

/** Serves the script with `panelUrl` in it; does nothing where the panel has https, or this n8n has no such script. */
export function correctPanelLinks(app: ExpressApp, editorFolder: string, panelUrl: string): void {
  if (!panelUrl.startsWith("http:")) return;
  const folder = join(editorFolder, "dist", "assets");
  const names = readdirSync(folder).filter((name) => /^cloudPlan.*\.js$/.test(name));
  const scripts = new Map<string, string>();
  for (const name of names) {
    const text = readFileSync(join(folder, name), "utf8");
    if (expected.test(text)) scripts.set(`/assets/${name}`, text);
  }
  if (scripts.size === 0) return;
  app.use((request, response, next) => {
    const script = request.method === "GET" ? scripts.get(request.path) : undefined;
    if (script === undefined) return next();
    return response.type("application/javascript").set("Cache-Control", "no-cache").send(script.replace(expected, () => `${panelUrl}/login`));
  });
  // n8n's own files were mounted before: this one has to come first.
  const { stack } = app.router!;
  stack.unshift(stack.pop());
}
