import type { Translated } from "../../words/spoken.ts";
import type { dashboardWords } from "./words.ts";

export default {
  dashboard: { page: "Dashboard", title: "Dashboard", greeting: "Hallo, {{name}}" },
} satisfies Translated<{ dashboard: typeof dashboardWords }>;
