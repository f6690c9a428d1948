/** Which parts of the panel's program are fetched together, so that a page arrives in about ten files. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
type ModuleInfos = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/**
 * One chunk for everything that the parts of a group need: otherwise, the parts that pages share would be cut into many small chunks. Each
 * costs a request, a browser makes six at a time, and the first page would contain the name of each. The order matters: modules in the
 * first group are not in the second.
 */
const shared: { name: string; starts?: string[]; parts: string[] }[] = [
  /** The program, and the page that most people see first. */
  {
    name: "frame",
    starts: ["main.tsx", "pages/login/login-page.tsx"],
    parts: ["lib/first-view/when-idle.ts", "features/billing/in-force.ts"],
  },
  /** Errors can occur on every page except the first. */
  {
    name: "notices",
    parts: [
      "ui/notices/error-notice.tsx",
      "lib/notices/undo-notice.ts",
      "ui/progress/skeleton.tsx",
      "ui/notices/empty-state.tsx",
      "ui/notices/loaded.tsx",
    ],
  },
  /** The frame of the pages behind the sign-in, and what most of them show or ask of the workspace. */
  {
    name: "panel",
    parts: [
      "layouts/default-layout.tsx",
      "features/workspace/watch/live-workspace.tsx",
      "features/usage/usage-query.ts",
      "features/usage/forecast.ts",
      "features/billing/notices/arranged-notice.tsx",
      "features/billing/resubscribe/resubscribe-button.tsx",
      "ui/place.tsx",
      "ui/section.tsx",
      "ui/dialog/confirm-dialog.tsx",
      "words/sentences.ts",
    ],
  },
  /** How long ago something was: on the dashboard's cards, and on pages that need none of the cards. */
  { name: "times", parts: ["lib/ago.ts", "ui/marks/time-text.tsx"] },
  /** What the state of the workspace means, and what can be done in it: the dashboard, the settings, and the icon of every page. */
  {
    name: "state",
    parts: [
      "features/monitoring/chart/plot.ts",
      "features/workspace/address.tsx",
      "features/workspace/state/use-shown-state.ts",
      "features/workspace/state/state-badge.tsx",
      "features/workspace/open-workspace-button.tsx",
      "features/workspace/restart-button.tsx",
      "features/workspace/card/workspace-progress.tsx",
      "features/workspace/journal/journal-list.tsx",
    ],
  },
  /** The frame of the manage area. */
  { name: "manage", parts: ["layouts/manage-layout.tsx"] },
  /** The versions, which two places of it and the first launch offer. */
  { name: "versions", parts: ["features/workspace-settings/form/version/versions-query.ts"] },
  /** Forms whose rules are fetched when their first field is checked. */
  {
    name: "forms",
    parts: ["features/credentials/place-field-errors.ts", "lib/forms/account-of-password.tsx", "lib/forms/use-late-rules.ts"],
  },
  /** What plans cost and allow, also on the front page. */
  {
    name: "prices",
    parts: [
      "features/billing/format-price.ts",
      "features/billing/words.ts",
      "features/plans/quotas/quota-words.ts",
      "ui/marks/state-mark.tsx",
    ],
  },
  /** What the pages about money share with each other. */
  {
    name: "money",
    parts: [
      "features/billing/billing-queries.ts",
      "features/billing/checkout/new-idempotency-key.ts",
      "features/billing/notices/scheduled-change-notice.tsx",
      "features/plans/plan-queries.ts",
    ],
  },
  /** On the pages that list figures or payments; forms need none. */
  { name: "table", parts: ["ui/table.tsx"] },
  /** What the cards of the dashboard, which are fetched after its first paint, share with one or two other pages each. */
  {
    name: "cards",
    parts: [
      "features/monitoring/monitoring-query.ts",
      "features/monitoring/webhooks/webhook-figures.ts",
      "features/usage/usage-meters.tsx",
      "features/usage/usage-notice.tsx",
      "features/workspace/journal/journal-entries.tsx",
      "ui/bars.tsx",
    ],
  },
  /** The frame of the steps from registering to a running workspace. */
  { name: "journey", parts: ["features/sign-up/journey/journey-steps.tsx", "features/sign-up/journey/step-card.tsx"] },
];

for (const part of shared.flatMap(({ parts }) => parts))
  if (!existsSync(`${root}src/${part}`)) throw new Error(`shared-chunks.ts names ${part}, which does not exist.`);

let modules: { name: string; ids: Set<string> }[] | undefined;

function sharedChunk(id: string, infos: ModuleInfos): string | null {
  // Styles stay with the page: in a chunk, anything fetched later from it would request them again.
  if (id.endsWith(".css")) return null;
  modules ??= shared.map(({ name, starts = [], parts }) => ({
    name,
    ids: new Set([...starts, ...parts].flatMap((start) => [...withImports(`${root}src/${start}`, infos)])),
  }));
  const icon = /\/lucide-react\/.*\/icons\/(.+)\.mjs$/.exec(id)?.[1];
  if (icon) {
    const [frame, ...others] = modules;
    if (iconsOf(frame!.ids).has(icon)) return frame!.name;
    return oftenNamed(icon) ? "notices" : (others.find(({ ids }) => iconsOf(ids).has(icon))?.name ?? null);
  }
  if (shared.some(({ starts }) => starts?.some((start) => id === `${root}src/${start}`))) return null;
  return modules.find(({ ids }) => ids.has(id))?.name ?? null;
}

/** In this order, because a chunk takes what its modules import as well, where no chunk before it has it. */
export const sharedGroups = [
  ...shared.map(({ name }, place) => ({
    name: (id: string, infos: ModuleInfos) => (sharedChunk(id, infos) === name ? name : null),
    priority: shared.length - place,
  })),
  /** Small, and on many pages. */
  { name: "parts", test: /\/apps\/web\/src\/ui\//, minShareCount: 5 },
];

const iconsNamedIn = new Map<ReadonlySet<string>, Set<string>>();

/** The icons that these source files name. To the bundler each file has all of them: the library's single entry imports every icon. */
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

/** An icon that three files use: in a separate chunk it would weigh less than the request for it. */
function oftenNamed(icon: string): boolean {
  namesOfIcons ??= readdirSync(`${root}src`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => iconsOf(new Set([`${root}src/${file}`])));
  return namesOfIcons.filter((names) => names.has(icon)).length >= 3;
}
let namesOfIcons: Set<string>[] | undefined;

function withImports(id: string, infos: ModuleInfos, found = new Set<string>()): Set<string> {
  if (found.has(id)) return found;
  found.add(id);
  for (const next of infos.getModuleInfo(id)?.importedIds ?? []) withImports(next, infos, found);
  return found;
}
