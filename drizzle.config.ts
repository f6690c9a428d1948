/** For `npm run migration`, which compares database/tables.ts with the last migration and writes the difference. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({ dialect: "postgresql", schema: "./database/tables.ts", out: "./database/migrations" });
