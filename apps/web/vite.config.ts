/** Builds the panel. `#contract/*` and `#web/*` resolve by the root package.json, as they do for the server. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { firstPage } from "./first-page.ts";
import { precompress } from "./precompress.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const signInPage = `${root}src/pages/login/login-page.tsx`;
type ModuleInfos = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/**
 * One chunk for everything that the start needs: otherwise, the parts that later pages share would be cut into many small chunks, and the
 * first page would contain the name of each. The order matters: modules in the first group are not in the second.
 */
const shared: { name: string; starts?: string[]; parts?: string[] }[] = [
  /** The program, and the page that most people see first. */
  { name: "frame", starts: [`${root}src/main.tsx`, signInPage], parts: [`${root}src/lib/browser/when-idle.ts`] },
  /** Errors can occur on every page except the first. */
  { name: "notices", parts: [`${root}src/ui/notices/error-notice.tsx`] },
  /** The frame of the pages behind the sign-in. */
  { name: "panel", starts: [`${root}src/layouts/default-layout.tsx`] },
  /** What most of those pages show about the workspace or request from it. */
  { name: "workspace", parts: [`${root}src/features/workspace/watch/live-workspace.tsx`] },
  /** The frame of the manage area. */
  { name: "manage", starts: [`${root}src/layouts/manage-layout.tsx`] },
];
let modules: { name: string; ids: Set<string> }[] | undefined;

function sharedChunk(id: string, infos: ModuleInfos): string | null {
  // Styles stay with the page: in a chunk, anything fetched later from it would request them again.
  if (id.endsWith(".css")) return null;
  modules ??= shared.map(({ name, starts = [], parts = [] }) => ({
    name,
    ids: new Set([...starts, ...parts].flatMap((start) => [...withImports(start, infos)])),
  }));
  const icon = /\/lucide-react\/.*\/icons\/(.+)\.mjs$/.exec(id)?.[1];
  if (icon) return modules.find(({ ids }) => iconsOf(ids).has(icon))?.name ?? null;
  return shared.some(({ starts }) => starts?.includes(id)) ? null : (modules.find(({ ids }) => ids.has(id))?.name ?? null);
}

/** Small, and on many pages: in one chunk, so that a page does not need dozens of requests. */
const isOwnPart = /\/apps\/web\/src\/ui\//;

const iconsNamedIn = new Map<ReadonlySet<string>, Set<string>>();

/**
 * The icons that these source files import. To the bundler, each file has all of them, because the library's single entry imports every
 * icon.
 */
function iconsOf(ids: ReadonlySet<string>): Set<string> {
  const known = iconsNamedIn.get(ids);
  if (known) return known;
  const texts = [...ids].filter((id) => id.startsWith(`${root}src/`) && existsSync(id)).map((id) => readFileSync(id, "utf8"));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/import \{([^}]*)\} from "lucide-react"/g)].flatMap(([, list]) => list?.split(",") ?? []),
  );
  const icons = new Set(
    names.map((name) =>
      name
        .trim()
        .replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, "-")
        .toLowerCase(),
    ),
  );
  iconsNamedIn.set(ids, icons);
  return icons;
}

function withImports(id: string, infos: ModuleInfos, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of infos.getModuleInfo(id)?.importedIds ?? []) withImports(next, infos, found);
  return found;
}

/**
 * Leaves `import()` as it is. Vite wraps each to fetch its styles and chunks first: all styles are in the page, and the lists of chunks are
 * left out below.
 */
const plainImports: Plugin = {
  name: "plain-imports",
  apply: "build",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
};

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), plainImports, firstPage(), precompress()],
  resolve: { alias: [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: `${root}src/ui/create-icon.ts` }] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // A data: address would need `img-src data:` in the content-security policy.
    assetsInlineLimit: 0,
    // Every supported browser preloads modules automatically. The list of what each page needs is left out, because the first page would
    // have to contain it (1 KB). The page and the server's answer name what is needed at an address (first-page.ts).
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    // The first versions with light-dark(), which carries both themes in one set of tokens, and AbortSignal.any().
    target: ["chrome123", "edge123", "firefox124", "safari17.5"],
    rolldownOptions: {
      // Schemas and catalogues have no side effects: the parts that a page does not use are left out of its chunk.
      output: {
        codeSplitting: { groups: [{ name: sharedChunk }, { name: "parts", test: isOwnPart, minShareCount: 5 }] },
        // The first chunk lists all others by name: only pages, which a fault report should name, keep readable names.
        chunkFileNames: ({ name }) => (name.endsWith("-page") || name === "frame" ? "assets/[name]-[hash].js" : "assets/[hash].js"),
      },
      treeshake: { manualPureFunctions: ["z", "defineRoute", "wordsOf", "partOf"] },
    },
  },
});
