/** The spec of the next launch, as far as it is known in advance: blanks are made for it. */
import { executionsToKeepOf } from "#contract/workspaces/kept-executions.ts";
import { trialPlanId } from "#domain/plans/catalogue.ts";
import { findPlan } from "#domain/plans/read-plans.ts";
import { offeredToNew } from "#domain/updates/fleet/held-versions.ts";
import type { BlankRow, BlankShape } from "#domain/workspaces/blanks/blank-store.ts";
import type { RunSpec } from "../drivers/driver.ts";
import type { EngineWorkspace } from "../engines/engine.ts";
import { usualRelease } from "../engines/releases/read-releases.ts";
import type { Pool } from "./pool.ts";

export interface NextLaunch {
  shape: BlankShape;
  /** What this blank is started from. Equal to what a launch of the trial on this host expects; the reconciler compares them. */
  spec(blank: Pick<BlankRow, "id" | "number" | "secrets">): RunSpec;
}

/** A launch begins with the trial plan, the newest release that new workspaces get and the usual settings. */
export async function describeNextLaunch({ db, clock, engine, memoryMb: usualMb, publicUrl, blanks, secrets }: Pool): Promise<NextLaunch> {
  const trial = (await findPlan(db, trialPlanId))?.spec;
  const defaults = { engine: engine.name, version: usualRelease(engine.releases).version, releases: engine.releases };
  const { version } = await offeredToNew(db, defaults, clock.now());
  const memoryMb = trial?.memoryMb ?? usualMb;
  const described = ({ id, number, secrets: encrypted }: Pick<BlankRow, "id" | "number" | "secrets">): EngineWorkspace => ({
    id,
    number,
    generation: 0,
    run: true,
    timezone: "Etc/UTC",
    executions: { keep: executionsToKeepOf(null, trial ?? null), maxAgeHours: trial?.pruneExecutionsInterval ?? null },
    memoryMb,
    ...(trial && { features: trial }),
    publicUrl,
    panelUrl: publicUrl,
    secrets: secrets.open(encrypted),
  });
  return {
    shape: { engine: engine.name, version, memoryMb },
    spec: (blank) => engine.runSpec(blanks.unowned(described(blank)), version),
  };
}
