/**
 * Makes a page paint and work with as few round trips as possible. The styles are inlined in the page, and everything it needs is requested
 * together; otherwise each chunk would be requested by the one before. The page itself names the program and is the same at every address.
 * What each address needs is written to page-parts.json, for the server to name in its answer (apps/api/pages/page-parts.ts).
 */
import type { Plugin, Rolldown } from "vite";
import { addresses, folderOf, framesOf } from "./page-frames.ts";

const styleLink = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g;
/** The part of the font that both languages are written in. */
const fontFile = /^assets\/inter-panel-[\w-]+\.woff2$/;
const programTag = /<script type="module"[^>]* src="\/([^"]+)">/;

/**
 * Replaces each stylesheet of `index.html` with its text, which the server allows by its hash, preloads the program, and writes what each
 * page needs.
 */
export function firstPage(): Plugin {
  return {
    name: "first-page",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) =>
        html
          .replace(styleLink, (_link, fileName: string) => `<style>${takeStyles(bundle, fileName)}</style>`)
          .replace(programTag, (tag, fileName: string) => [...preloads(bundle, fileName), fontPreload(bundle), tag].join("\n    ")),
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        this.emitFile({ type: "asset", fileName: "page-parts.json", source: JSON.stringify(partsOfPages(bundle)) });
      },
    },
  };
}

/** The text of a stylesheet, which is then no longer a file of the build. */
function takeStyles(bundle: Rolldown.OutputBundle, fileName: string): string {
  const file = bundle[fileName];
  if (file?.type !== "asset") throw new Error(`The page links ${fileName}, which is not built.`);
  const styles = Buffer.from(file.source).toString().trim();
  if (/<\/style/i.test(styles)) throw new Error(`${fileName} would end its own style element.`);
  delete bundle[fileName];
  return styles;
}

/**
 * The same low priority that browsers give to modules: nothing here is needed for the first paint, and the font and the first call are
 * small.
 */
function preloads(bundle: Rolldown.OutputBundle, program: string): string[] {
  const needed = withImports(bundle, program);
  needed.delete(program);
  return largestFirst(bundle, needed).map((fileName) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${fileName}">`);
}

/** The program waits for the font before it draws, so the font must be requested early. */
function fontPreload(bundle: Rolldown.OutputBundle): string {
  const file = Object.keys(bundle).find((fileName) => fontFile.test(fileName));
  if (!file) throw new Error("The font is not built.");
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file}">`;
}

/**
 * For each address, the files that its page and the program need. The program comes first because it is the largest: anything named before
 * it delays it. Addresses that only redirect are left out.
 */
function partsOfPages(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const chunkOf = (isIt: (module: string) => boolean) => chunks.find(({ moduleIds }) => moduleIds.some(isIt))?.fileName;
  const entry = chunks.find(({ isEntry }) => isEntry)!;
  const program = withImports(bundle, entry.fileName);
  const calls = chunkOf((module) => module.endsWith("/src/lib/api/panel-calls.ts"));
  const found: Record<string, string[]> = {};
  for (const path of addresses) {
    const folder = folderOf(path);
    const page = chunkOf((module) => new RegExp(`/src/pages/${folder}/[\\w-]+-page\\.tsx$`).test(module));
    if (!page) continue;
    const frames = framesOf(folder).map((frame) => chunkOf((module) => module.endsWith(`/src/layouts/${frame}.tsx`)));
    // Every page in a layout makes a call that the sign-in page does not have.
    const parts = [page, ...frames, ...(frames.length > 0 ? [calls] : [])];
    const needed = new Set<string>();
    for (const part of parts) {
      if (!part) throw new Error(`A part of the page at ${path} has no chunk.`);
      withImports(bundle, part, needed);
    }
    found[path] = largestFirst(bundle, new Set([...needed, ...program])).filter((fileName) => fileName !== entry.fileName);
  }
  return found;
}

/** It is requested on the connection that brought the page, which is already open and fast. */
function largestFirst(bundle: Rolldown.OutputBundle, fileNames: Set<string>): string[] {
  const bytes = (fileName: string) => (bundle[fileName]?.type === "chunk" ? bundle[fileName].code.length : 0);
  return [...fileNames].sort((one, other) => bytes(other) - bytes(one));
}

function withImports(bundle: Rolldown.OutputBundle, fileName: string, found = new Set<string>()): Set<string> {
  const file = bundle[fileName];
  if (found.has(fileName) || file?.type !== "chunk") return found;
  found.add(fileName);
  for (const next of file.imports) withImports(bundle, next, found);
  return found;
}
