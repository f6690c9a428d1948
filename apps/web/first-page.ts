/**
 * Makes the built page paint and work in as few round trips as can be: its styles stand in it, and the sign-in page, which most
 * people see first, is fetched immediately with everything it needs, where otherwise each chunk would be requested by the one before.
 */
import type { Plugin, Rolldown } from "vite";

const styleLink = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/g;
const programTag = /<script type="module"[^>]* src="\/([^"]+)">/;

/** Replaces each stylesheet of `index.html` by its text, which the server allows by its hash, and preloads the page of `start`. */
export function firstPage(start: string): Plugin {
  return {
    name: "first-page",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) =>
        html
          .replace(styleLink, (_link, fileName: string) => `<style>${takeStyles(bundle, fileName)}</style>`)
          .replace(
            programTag,
            (tag, fileName: string) => `${preloads(bundle, fileName, chunkOf(bundle, start)).join("\n    ")}\n    ${tag}`,
          ),
    },
  };
}

/** The text of a stylesheet, which is then no file of the build any more. */
function takeStyles(bundle: Rolldown.OutputBundle, fileName: string): string {
  const file = bundle[fileName];
  if (file?.type !== "asset") throw new Error(`The page links ${fileName}, which is not built.`);
  const styles = Buffer.from(file.source).toString().trim();
  if (/<\/style/i.test(styles)) throw new Error(`${fileName} would end its own style element.`);
  delete bundle[fileName];
  return styles;
}

/** The largest first: it gets the connection on which the page came, already open and quick. */
function preloads(bundle: Rolldown.OutputBundle, program: string, page: string): string[] {
  const needed = withImports(bundle, page, withImports(bundle, program));
  needed.delete(program);
  const bytes = (fileName: string) => (bundle[fileName]?.type === "chunk" ? bundle[fileName].code.length : 0);
  return [...needed]
    .sort((one, other) => bytes(other) - bytes(one))
    .map((fileName) => `<link rel="modulepreload" crossorigin href="/${fileName}">`);
}

function withImports(bundle: Rolldown.OutputBundle, fileName: string, found = new Set<string>()): Set<string> {
  const file = bundle[fileName];
  if (found.has(fileName) || file?.type !== "chunk") return found;
  found.add(fileName);
  for (const next of file.imports) withImports(bundle, next, found);
  return found;
}

function chunkOf(bundle: Rolldown.OutputBundle, start: string): string {
  const chunk = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId === start);
  if (!chunk) throw new Error(`${start} has no chunk to preload.`);
  return chunk.fileName;
}
