import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stageBeside } from "./stage-beside.ts";

function newPlace(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-test-stage-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "below", "place");
}

const killedPid = (): number => spawnSync(process.execPath, ["-e", ""]).pid;
const namesBeside = (place: string): string[] => readdirSync(dirname(place)).toSorted();

/** What a process of that host and number would have made, so many hours ago. */
function leave(place: string, maker: string, hours = 0): string {
  const name = `.place.new-${maker}-AbC123`;
  const folder = join(dirname(place), name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "half"), "");
  const madeAt = new Date(Date.now() - hours * 3_600_000);
  utimesSync(folder, madeAt, madeAt);
  return name;
}

test("a new folder can be moved to its place, and two made together do not disturb each other", async () => {
  const place = newPlace();
  const [one, two] = await Promise.all([stageBeside(place), stageBeside(place)]);
  expect(namesBeside(place)).toHaveLength(2);
  renameSync(one, place);
  writeFileSync(join(two, "file"), "");
});

test("what a killed process left is removed", async () => {
  const place = newPlace();
  const left = leave(place, `${hostname()}-${killedPid()}`);
  await stageBeside(place);
  expect(namesBeside(place)).not.toContain(left);
});

test("what another process makes stays, and on another host until it must have been killed", async () => {
  const place = newPlace();
  const kept = [leave(place, `${hostname()}-${process.ppid}`), leave(place, `other-host-${killedPid()}`)];
  const old = leave(place, "third-host-1", 2);
  await stageBeside(place);
  expect(namesBeside(place)).toEqual(expect.arrayContaining(kept));
  expect(namesBeside(place)).not.toContain(old);
});
