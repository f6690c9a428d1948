/**
 * `npm run lighthouse`: measures the panel's pages with Lighthouse, on a throttled phone and a desktop, three runs each. `-- dashboard
 * plans` measures only these, `--runs 5` more often, `--on phone` only there, `--keep` writes the figures to docs/figures; whole reports
 * are in .cache/lighthouse-runs. Fails if a page scores below 98 in a category or something on it moves. Run it on an idle machine, because
 * a busy processor is throttled on top of its load.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "pg";
import { instanceStatus } from "#contract/workspaces/workspace-values.ts";
import { findBrowser } from "#testing/browser/chromium.ts";
import { sessionCookies } from "#testing/browser/session-cookies.ts";
import { startSlipway, type Slipway } from "#testing/program/start-slipway.ts";
import type { Customer } from "#testing/program/slipway-customer.ts";
import { describeMachine } from "../bench/report/run-report.ts";
import { buildWeb } from "../set-up/build-web.mjs";
import { loadLighthouse, type DrivenBrowser, type Lighthouse } from "./load-lighthouse.ts";
import { measurePage, type MeasuredPage } from "./measure-page.ts";
import { asMarkdown, forms, mergeReports, shortfalls, type LighthouseReport, type PageFigures } from "./report.ts";

const pages: MeasuredPage[] = [
  { name: "front", path: "/", isForVisitors: true },
  { name: "sign-in", path: "/login", isForVisitors: true },
  { name: "register", path: "/register", isForVisitors: true },
  { name: "dashboard", path: "/dashboard" },
  { name: "plans", path: "/account/change-plan" },
  { name: "manage", path: "/manage" },
  { name: "monitoring", path: "/manage/monitoring" },
  { name: "logs", path: "/manage/logs" },
  { name: "versions", path: "/manage/versions" },
  { name: "backups", path: "/manage/backups" },
  { name: "export", path: "/manage/export" },
  { name: "members", path: "/manage/members" },
  { name: "billing", path: "/manage/billing" },
  { name: "danger", path: "/manage/danger" },
  { name: "profile", path: "/account/profile" },
  { name: "help", path: "/help" },
];
const names = pages.map(({ name }) => name);
const keptIn = fileURLToPath(new URL("../../docs/figures", import.meta.url));
/** Ignored by git: Lighthouse's whole reports, for its viewer. */
const runsDir = fileURLToPath(new URL("../../.cache/lighthouse-runs", import.meta.url));
const keptFile = join(keptIn, "lighthouse.json");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: "boolean" }, runs: { type: "string", default: "3" }, on: { type: "string" } },
});
if (positionals.every((name) => names.includes(name)) && Number(values.runs) >= 1 && forms.some((form) => (values.on ?? form) === form)) {
  const report = await measureAll(positionals.length > 0 ? positionals : names, Number(values.runs));
  writeFileSync(join(runsDir, "figures.json"), JSON.stringify(report));
  if (values.keep) keep(report);
  const short = shortfalls(report);
  process.stdout.write(short.length > 0 ? `\nToo little:\n${short.join("\n")}\n` : "\nAll as they should be.\n");
  process.exitCode = short.length > 0 ? 1 : 0;
} else {
  process.stderr.write(
    `Name any of these pages, or none for all: ${names.join(", ")}. --runs 5 measures each five times, --on phone or --on desk only in that form.\n`,
  );
  process.exitCode = 2;
}

async function measureAll(wanted: readonly string[], runs: number): Promise<LighthouseReport> {
  const lighthouse = await loadLighthouse();
  mkdirSync(runsDir, { recursive: true });
  await buildWeb(process.execPath);
  await using slipway = await startSlipway({ env: { FRONT_PAGE: "on", CALLS_PER_MINUTE: "100000" } });
  const owner = await slipway.launch();
  await slipway.until(owner, ({ status }) => status === instanceStatus.online);
  await liveIn(slipway, owner);
  const figures: PageFigures[] = [];
  let version = "";
  for (const isForVisitors of [true, false]) {
    const browser = await openBrowser(lighthouse, slipway, isForVisitors ? undefined : owner);
    try {
      for (const page of pages.filter((each) => wanted.includes(each.name) && Boolean(each.isForVisitors) === isForVisitors))
        for (const form of forms.filter((each) => (values.on ?? each) === each)) {
          const measured = await measurePage(lighthouse, browser, slipway.url, { page, form, runs });
          version = measured.whole.lighthouseVersion;
          writeFileSync(join(runsDir, `${page.name}-${form}.json`), JSON.stringify(measured.whole));
          figures.push(measured.figures);
          say(measured.figures);
        }
    } finally {
      await browser.close();
    }
  }
  return { version, measuredAt: new Date().toISOString(), machine: describeMachine(), figures };
}

/** A browser with an empty profile and `person` signed in. */
async function openBrowser(lighthouse: Lighthouse, slipway: Slipway, person: Customer | undefined): Promise<DrivenBrowser> {
  const browser = await lighthouse.launch({ ...(await findBrowser()), headless: "shell" });
  const { hostname } = new URL(slipway.url);
  if (person)
    await browser.setCookie(
      ...sessionCookies(person.token, slipway.url).map(({ name, value }) => ({ name, value, domain: hostname, path: "/" })),
    );
  return browser;
}

/** The billing page exists only for accounts that pay, and uncounted usage is a 404. */
async function liveIn({ dataDir }: Slipway, { accountName }: Customer): Promise<void> {
  const password = readFileSync(join(dataDir, "postgres", "password"), "utf8");
  const client = new Client({ host: join(dataDir, "run"), port: 5432, user: "slipway", password, database: "slipway" });
  await client.connect();
  const ofAccount = "where account_id = (select id from accounts where name = $1)";
  await client.query(`update subscriptions set status = 'active' ${ofAccount}`, [accountName]);
  await client.query(`update workspaces set usage_read_at = now() ${ofAccount}`, [accountName]);
  await client.end();
}

function say({ page, form, performance, accessibility, bestPractices, seo, ...each }: PageFigures): void {
  process.stdout.write(
    `${page}, ${form}: performance ${performance}, accessibility ${accessibility}, best practices ${bestPractices}${seo === null ? "" : `, SEO ${seo}`}; ` +
      `paints ${each.firstPaintMs} and ${each.largestPaintMs} ms, blocked ${each.blockedMs} ms, moved ${each.layoutShift}; index ${each.benchmarkIndex}\n` +
      each.lost.map((text) => `    ${text}\n`).join(""),
  );
}

function keep(run: LighthouseReport): void {
  const kept = existsSync(keptFile) ? (JSON.parse(readFileSync(keptFile, "utf8")) as LighthouseReport) : undefined;
  const report = mergeReports(kept, run, names);
  writeFileSync(keptFile, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(keptIn, "lighthouse.md"), asMarkdown(report));
}
