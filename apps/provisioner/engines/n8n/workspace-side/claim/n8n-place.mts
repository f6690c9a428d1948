/**
 * Where n8n keeps its address and timezone once it runs. Everything else reads them there at each use. n8n promises none of this: for a
 * release that keeps them elsewhere there are no blanks, and the engine suite says so.
 */
import { lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface Place {
  /** Both addresses without a trailing slash. Throws for a timezone that does not exist. */
  move(move: { from: string; to: string; timezone: string }): Promise<void>;
}

interface HasZone {
  defaultTimezone: string;
}

/** Throws if this n8n keeps them elsewhere. */
export function findPlace(): Place {
  const require = createRequire(process.argv[1]!);
  const { Container } = require("@n8n/di") as { Container: { get<Service>(type: unknown): Service } };
  const get = <Service,>(path: string, name: string): Service => Container.get<Service>((require(path) as Record<string, unknown>)[name]);
  const workflow = require("n8n-workflow") as { getGlobalState(): HasZone; setGlobalState(state: HasZone): void };
  const config = get<{ generic: { timezone: string }; editorBaseUrl: string; webhookUrl: string; scheduler: { enabled: boolean } }>(
    "@n8n/config",
    "GlobalConfig",
  );
  const urls = get<{ getWebhookBaseUrl(): string; getInstanceBaseUrl(): string }>("../dist/services/url.service", "UrlService");
  const { staticCacheDir } = get<{ staticCacheDir: string }>("n8n-core", "InstanceSettings");
  const frontend = get<{ settings?: { timezone: string }; overwriteCredentialsProperties(): void }>(
    "../dist/services/frontend.service",
    "FrontendService",
  );
  // These copy the timezone when they are created; the two others read it from the configuration at each use.
  const registrars = [
    get<HasZone>("../dist/scheduling/schedule-trigger-node/schedule-trigger-job-registrar", "ScheduleTriggerJobRegistrar"),
    get<HasZone>("../dist/scheduling/poll-trigger-node/poll-trigger-job-registrar", "PollTriggerJobRegistrar"),
    get<{ materializerOptions: HasZone }>("../dist/scheduling/durable-job-provisioner", "DurableJobProvisioner").materializerOptions,
  ];
  const zones = [config.generic.timezone, workflow.getGlobalState().defaultTimezone, ...registrars.map((each) => each?.defaultTimezone)];
  if (zones.some((zone) => zone !== config.generic.timezone)) throw new Error("this n8n keeps its timezone elsewhere");
  // It has a copy that nothing can reach.
  if (config.scheduler.enabled) throw new Error("this n8n has its own scheduler, which keeps the timezone it started with");

  return {
    async move({ from, to, timezone }) {
      // Throws a RangeError if there is no such zone.
      new Intl.DateTimeFormat("en", { timeZone: timezone });
      Object.assign(process.env, { TZ: timezone, GENERIC_TIMEZONE: timezone, WEBHOOK_URL: `${to}/`, N8N_EDITOR_BASE_URL: `${to}/` });
      config.generic.timezone = timezone;
      workflow.setGlobalState({ ...workflow.getGlobalState(), defaultTimezone: timezone });
      for (const registrar of registrars) registrar.defaultTimezone = timezone;
      config.editorBaseUrl = `${to}/`;
      if (urls.getInstanceBaseUrl() !== to || urls.getWebhookBaseUrl() !== `${to}/`)
        throw new Error("this n8n keeps its address elsewhere");
      if (frontend.settings) {
        frontend.settings.timezone = timezone;
        replaceIn(frontend.settings, from, to);
      }
      frontend.overwriteCredentialsProperties();
      replaceInFiles(join(staticCacheDir, "types"), from, to);
    },
  };
}

/** Replaces the address in all texts of a plain object, in place. */
function replaceIn(value: object, from: string, to: string): void {
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "string" && each.includes(from)) (value as Record<string, unknown>)[name] = each.replaceAll(from, to);
    else if (typeof each === "object" && each !== null) replaceIn(each, from, to);
  }
}

/** The lists of nodes and credentials that this n8n wrote itself; shared ones are links, and contain no address. */
function replaceInFiles(folder: string, from: string, to: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (!lstatSync(file).isFile()) continue;
    const text = readFileSync(file, "utf8");
    if (!text.includes(from)) continue;
    writeFileSync(`${file}.new`, text.replaceAll(from, to));
    renameSync(`${file}.new`, file);
  }
}
