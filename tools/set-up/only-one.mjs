/** One process at a time prepares a clone: two `npm ci` would each delete what the other installs. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../root.mjs";

/** Not in node_modules, which `npm ci` deletes. */
const lockFile = join(root, ".cache", "preparing");

/** `onlyOne` for what `npm start`, `npm test` and other commands prepare in this clone. */
export const prepareAlone = (work) =>
  onlyOne(lockFile, work, () => process.stdout.write("Another command prepares this clone; waiting for it …\n"));

const touchMs = 1000;
/** A holder that has not touched its file for this long was killed, and its number may be another process's by now. */
const silentMs = 30_000;
const retryMs = 100;

/**
 * Runs `work` while no other process runs one with the same file, and returns its result. Waits for another process, after one call of
 * `onWait`, and takes over from one that was killed.
 */
export async function onlyOne(file, work, onWait = () => {}, givenUpMs = silentMs) {
  mkdirSync(dirname(file), { recursive: true });
  const mark = `${process.pid} ${Math.random()}`;
  for (let watched, isTold = false; !take(file, mark); await sleep(retryMs)) {
    watched = watch(file, watched, givenUpMs);
    if (watched.isLeft) takeAway(file, watched.holder);
    else if (!isTold) onWait();
    isTold ||= !watched.isLeft;
  }
  const timer = setInterval(() => touch(file), touchMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (read(file) === mark) rmSync(file, { force: true });
  }
}

/** The file appears with its content. */
function take(file, mark) {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, mark);
  try {
    linkSync(beside, file);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Who holds it, since when it was seen unchanged, and whether that process is gone. */
function watch(file, before, givenUpMs) {
  const holder = read(file);
  const touchedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const isSame = before?.holder === holder && before.touchedAt === touchedAt;
  // By our own clock, which stands still while the machine sleeps.
  const since = isSame ? before.since : performance.now();
  const isLeft = holder !== undefined && (!isAlive(Number.parseInt(holder, 10)) || performance.now() - since > givenUpMs);
  return { holder, touchedAt, since, isLeft };
}

/** Removes the file of a killed process, unless another process has done so and taken its place. */
function takeAway(file, holder) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
    if (read(aside) !== holder) linkSync(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Whoever took it away does not wait for us either.
  }
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}
