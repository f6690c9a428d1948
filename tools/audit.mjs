/**
 * `npm run audit`: asks the registry's advisory service about every package of package-lock.json. Exits with 1 if one has a
 * known vulnerability of high or critical severity, and with 2 if the service could not be asked: no answer is not a pass.
 */
import { root } from "./root.mjs";
import { runQuietly } from "./process/run-quietly.mjs";

const failing = ["high", "critical"];

/** What npm's report says, and the exit code to end with. */
export function judgeReport(output) {
  let report;
  try {
    report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  } catch {
    report = {};
  }
  const counts = report.metadata?.vulnerabilities;
  if (!counts || !report.vulnerabilities)
    return {
      code: 2,
      lines: [
        `Nothing was looked up: the advisory service could not be asked (${report.message ?? "no answer"}). Run this where the registry answers.`,
      ],
    };
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => failing.includes(severity));
  const lines = found.map(
    ({ name, severity, via }) =>
      `${severity}: ${name}: ${via.map((each) => (typeof each === "string" ? `by ${each}` : each.title)).join("; ")}`,
  );
  const lesser = counts.total - found.length;
  return {
    code: found.length > 0 ? 1 : 0,
    lines: [
      ...lines,
      `${counts.total === 0 ? "No" : counts.total} known weaknesses${counts.total > 0 ? `, ${lesser} of them below high` : ""}.`,
    ],
  };
}

if (process.argv[1] === import.meta.filename) {
  const { output } = await runQuietly("npm", ["audit", "--json", "--loglevel=error"], { cwd: root });
  const { code, lines } = judgeReport(output);
  for (const line of lines) console.log(line);
  process.exitCode = code;
}
