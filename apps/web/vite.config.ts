/** Builds the panel. `#contract/*` and `#web/*` resolve by the root package.json, as they do for the server. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { firstPage } from "./first-page.ts";
import { precompress } from "./precompress.ts";
import { sharedGroups } from "./shared-chunks.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

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

/** Keeps only the drawing of a lucide-react icon: its name, its aliases and the keys of its lines would be in every page. */
const plainIcons: Plugin = {
  name: "plain-icons",
  apply: "build",
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
    handler: (code) =>
      code
        .replaceAll(/,?\s*\bkey: "\w+"/g, "")
        .replace(/\bname: "[^"]*",\s*size: 24,/, "")
        .replace(/,\s*aliases: \[[^\]]*\]/, ""),
  },
};

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), plainImports, plainIcons, firstPage(), precompress()],
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
        codeSplitting: { groups: sharedGroups },
        // The first chunk lists all others by name: only pages, which a fault report should name, keep readable names.
        chunkFileNames: ({ name }) => (name.endsWith("-page") || name === "frame" ? "assets/[name]-[hash].js" : "assets/[hash].js"),
      },
      treeshake: { manualPureFunctions: ["z", "defineRoute", "wordsOf", "partOf"] },
    },
  },
});
