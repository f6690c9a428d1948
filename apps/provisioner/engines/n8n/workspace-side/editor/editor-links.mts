/**
 * n8n's editor has a few addresses in its scripts: the panel, which it expects at https one label above the workspace, and n8n's own
 * support desk, which does not know this operator's customers. Both are replaced when the scripts are served. Its sign-in form, which does
 * not know the panel, is replaced with a redirect to the workspace's own sign-in page. n8n's files stay unchanged.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExpressApp } from "../internals.mts";
import { mountFirst } from "../mount-first.mts";
import { leaveForSignInPage } from "../people/sign-in-page.mts";

interface Correction {
  /** Matches the script's file name, so that not all scripts have to be read. */
  file: RegExp;
  expected: RegExp;
  wanted: string;
}

function corrections(panelUrl: string): Correction[] {
  // An import can come first in any script: imports are evaluated before the rest.
  const signIn = { file: /^SigninView-(?!legacy).*\.js$/, expected: /^/, wanted: leaveForSignInPage };
  const support = { file: /^useBugReporting.*\.js$/, expected: /https:\/\/support\.n8n\.io/, wanted: `${panelUrl}/help` };
  // In production the panel has https, and the editor's guess is right.
  return panelUrl.startsWith("http:")
    ? [signIn, support, { file: /^cloudPlan.*\.js$/, expected: /https:\/\/\$\{[\w$]+\}\/login/, wanted: `${panelUrl}/login` }]
    : [signIn, support];
}

/** Serves those scripts with this operator's addresses; leaves a script unchanged if this n8n does not contain the address. */
export function correctEditorLinks(app: ExpressApp, editorFolder: string, panelUrl: string): void {
  const folder = join(editorFolder, "dist", "assets");
  const names = readdirSync(folder);
  const scripts = new Map<string, string>();
  for (const { file, expected, wanted } of corrections(panelUrl)) {
    for (const name of names.filter((each) => file.test(each))) {
      const text = readFileSync(join(folder, name), "utf8");
      if (expected.test(text))
        scripts.set(
          `/assets/${name}`,
          text.replace(expected, () => wanted),
        );
    }
  }
  if (scripts.size === 0) return;
  mountFirst(app, (request, response, next) => {
    const script = request.method === "GET" ? scripts.get(request.path) : undefined;
    if (script === undefined) return next();
    return response.type("application/javascript").set("Cache-Control", "no-cache").send(script);
  });
}
