/** Builds the panel. `#contract/*` and `#web/*` resolve by the root package.json, as they do for the server. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./precompress.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
type ModuleInfos = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/** The program, and the page that most people see first. */
const starts = [`${root}src/main.tsx`, `${root}src/pages/login/login-page.tsx`];
let frame: Set<string> | undefined;

/** One chunk for all that every page starts with: what later pages share of it would else be cut into many small ones. */
function inFrame(id: string, infos: ModuleInfos): string | null {
  frame ??= new Set(starts.flatMap((start) => [...withImports(start, infos)]));
  return !starts.includes(id) && frame.has(id) ? "frame" : null;
}

function withImports(id: string, infos: ModuleInfos, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of infos.getModuleInfo(id)?.importedIds ?? []) withImports(next, infos, found);
  return found;
}

const apiServer = process.env["API_SERVER"] ?? "http://localhost:3000";

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), precompress()],
  resolve: { alias: [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: `${root}src/ui/create-icon.ts` }] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // A data: address would need `img-src data:` in the content-security policy.
    assetsInlineLimit: 0,
    // Every browser of the target preloads modules by itself.
    modulePreload: { polyfill: false },
    // The first versions with light-dark(), which carries both themes in one set of tokens.
    target: ["chrome123", "edge123", "firefox120", "safari17.5"],
    rolldownOptions: {
      // Schemas have no side effects: what a page does not use of the contract is left out of its chunk.
      output: {
        codeSplitting: { groups: [{ name: inFrame }] },
        // The first chunk lists all others by name: only pages, which a fault report should name, keep theirs.
        chunkFileNames: ({ name }) => (name.endsWith("-page") || name === "frame" ? "assets/[name]-[hash].js" : "assets/[hash].js"),
      },
      treeshake: { manualPureFunctions: ["z", "defineRoute"] },
    },
  },
  server: {
    proxy: { "/api": { target: apiServer, changeOrigin: false } },
  },
});
