/** Builds the panel. `#contract/*` and `#web/*` resolve by the root package.json, as they do for the server. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./precompress.ts";

const root = fileURLToPath(new URL(".", import.meta.url));
const apiServer = process.env["API_SERVER"] ?? "http://localhost:3000";

export default defineConfig({
  root,
  plugins: [react(), tailwindcss(), precompress()],
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
      treeshake: { manualPureFunctions: ["z", "defineRoute"] },
    },
  },
  server: {
    proxy: { "/api": { target: apiServer, changeOrigin: false } },
  },
});
