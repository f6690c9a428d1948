/** The page docs/overlapping-acts.md, from the table of promises. */
import { actNames, type ActName } from "./pair-acts.ts";
import { promisedPairs } from "./promised-pairs.ts";

const what: Readonly<Record<ActName, string>> = {
  launch: "the owner launches the workspace, or creates a new one",
  update: "the owner chooses a newer version",
  rollback: "the owner rolls the last update back",
  restore: "the owner restores a backup",
  backup: "the owner requests a backup",
  export: "the owner requests an export",
  settings: "the owner saves settings that restart the workspace",
  "plan change": "an operator gives a larger plan",
  restart: "the owner restarts the workspace",
  sleep: "the workspace is idle for long enough to fall asleep",
  wake: "a visitor uses the workspace",
  suspend: "an operator suspends the account, and ends that later",
  delete: "the owner deletes the workspace",
  "fleet wave": "a fleet update reaches the workspace",
};

/** One row for each act that is under way, with what a second one meets. */
export function renderPairs(): string {
  const rows = actNames.flatMap((first) =>
    actNames.map((second) => `| ${first} | ${second} | ${promisedPairs[first][second].map(inWords).join("; later: ")} |`),
  );
  const acts = actNames.map((name) => `- **${name}**: ${what[name]}`);
  return `# Acts that overlap

What is promised when a second act begins while a first one is under way on the same workspace. Made from
\`testing/fleet/pairs/promised-pairs.ts\` by \`UPDATE_PAGES=1\` with \`docs/overlapping-acts.test.ts\`; \`apps/provisioner/updates/pairs.slow.test.ts\` plays each
pair on the simulated fleet ([decision 0242](decisions/0242-table-of-pairs.md)). "Later" is what the second act meets at a later step of the first.

${acts.join("\n")}

- **both**: both happen. Of two that move data, the second waits.
- **replaces**: the second happens, and the first ends without it, which its history says.
- **resumes**: the same, and the first continues once the workspace runs again.
- **overtaken**: the first happens, and what began the second no longer applies: a workspace that restarts is not idle.
- A code of the API, or the operator's refusal: the second does not begin, and leaves no line and no mail.

| under way | begins | promised |
|---|---|---|
${rows.join("\n")}
`;
}

const inWords = (outcome: string): string => {
  if (outcome === "yields") return "overtaken";
  return /^\d/.test(outcome) ? outcome.replace(/ (.*)$/, " `$1`") : outcome;
};
