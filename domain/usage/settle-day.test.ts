import { expect, test } from "vitest";
import { seededRandom } from "#platform/seeded-random.ts";
import { after, minuteMs, secondMs } from "#platform/clock.ts";
import { settleDay, takeReport, untouched, type DayCheck, type DayLook } from "./settle-day.ts";

const now = new Date("2026-11-21T12:00:00Z");
const look = (changes: Partial<DayLook>): DayLook => ({
  answered: true,
  reported: 0,
  reportedBefore: changes.reported ?? 0,
  gateway: 0,
  statistics: null,
  isLimited: false,
  now,
  ...changes,
});
const settle = (looks: Partial<DayLook>[], from: DayCheck = untouched) =>
  looks.reduce((last, each) => settleDay(last.check, look(each)), { check: from, claimed: 0, isNews: false });

test("executions that the gateway saw and the workspace did not report count once", () => {
  expect(settle([{ gateway: 20 }])).toMatchObject({ claimed: 20, check: { added: 20 } });
  expect(settle([{ gateway: 20 }, { gateway: 20 }])).toMatchObject({ claimed: 0, check: { added: 20 } });
  expect(settle([{ gateway: 20, reported: 12 }])).toMatchObject({ claimed: 8 });
  expect(settle([{ gateway: 20, reported: 500 }])).toMatchObject({ claimed: 0, check: { added: 0 } });
});

test("late reports were counted already", () => {
  const { check } = settle([{ gateway: 20 }]);
  expect(takeReport(check, 15)).toMatchObject({ counted: 0, check: { added: 5 } });
  expect(takeReport(check, 25)).toMatchObject({ counted: 5, check: { added: 0 } });
});

test("calls that the gateway saw while the plan was used up may have been refused, and never count", () => {
  const limited = settle([
    { gateway: 100, reported: 100 },
    { gateway: 150, reported: 100, isLimited: true },
  ]);
  expect(limited).toMatchObject({ claimed: 0, check: { excused: 50, added: 0 } });
  expect(settle([{ gateway: 160, reported: 110 }], limited.check)).toMatchObject({ claimed: 0 });
  expect(settle([{ gateway: 170, reported: 110 }], limited.check)).toMatchObject({ claimed: 10 });
});

test("successful executions were not refused, whatever is left of the plan", () => {
  const said = (succeeded: number) => ({ life: "a", succeeded, unfinished: 0 });
  expect(
    settle([
      { reported: 100, statistics: said(1000), isLimited: true },
      { reported: 100, statistics: said(1130), isLimited: true },
    ]),
  ).toMatchObject({ claimed: 30 });
});

test("statistics of another database are ignored: both a restored one and the earlier one put back", () => {
  const lives = [
    ["a", 900],
    ["a", 910],
    ["b", 20],
    ["b", 30],
    ["c", 910],
    ["c", 915],
  ] as const;
  const looks = lives.map(([life, succeeded]) => ({ reported: 25, statistics: { life, succeeded, unfinished: 0 } }));
  expect(settle(looks).check).toMatchObject({ added: 0, succeeded: 25 });
});

test("executions that began before the first check are not counted by their end", () => {
  expect(
    settle([{ statistics: { life: "a", succeeded: 10, unfinished: 40 } }, { statistics: { life: "a", succeeded: 50, unfinished: 0 } }]),
  ).toMatchObject({ claimed: 0 });
});

test("operators are told of a lasting difference once, but not of a small or short one", () => {
  const at = (minutes: number) => after(now, minutes * minuteMs);
  const news = (looks: Partial<DayLook>[]) => {
    let check = untouched;
    return looks.map((each) => {
      const settled = settleDay(check, look(each));
      check = settled.check;
      return settled.isNews;
    });
  };
  expect(news([0, 4, 5, 6, 60].map((minutes) => ({ gateway: 20, now: at(minutes) })))).toEqual([false, false, true, false, false]);
  expect(news([0, 60].map((minutes) => ({ gateway: 5, now: at(minutes) })))).toEqual([false, false]);
  expect(news([0, 60].map((minutes) => ({ gateway: 1010, reported: 1000, now: at(minutes) })))).toEqual([false, false]);
  expect(news([0, 59, 60].map((minutes) => ({ answered: false, gateway: 20, now: at(minutes) })))).toEqual([false, false, true]);
  // A clock that was set back.
  expect(news([100, 0, 5].map((minutes) => ({ gateway: 20, now: at(minutes) })))).toEqual([false, false, true]);
});

interface Database {
  succeeded: number;
  waiting: number;
}

/** A workspace with its tool, its gateways and their records, through everything that may happen to them. */
class World {
  readonly random: () => number;
  hides: boolean;
  day = 0;
  clock = now;
  life = 0;
  limited = false;
  database: Database = { succeeded: 500, waiting: 7 };
  backups: Database[] = [{ succeeded: 100, waiting: 30 }];
  running = 0;
  /** By day. */
  truth: number[] = [];
  hidden: number[] = [];
  /** By day and gateway process, in memory and written. */
  seen = new Map<string, number>();
  written = new Map<string, number>();
  gateways = [1, 2];
  said = new Map<number, number>();
  checks = new Map<number, DayCheck>();
  counted = new Map<number, number>();
  news = 0;

  constructor(seed: number, hides: boolean) {
    this.random = seededRandom(seed);
    this.hides = hides;
  }

  chance = (share: number): boolean => this.random() < share;
  upTo = (most: number): number => Math.floor(this.random() * (most + 1));

  run(): void {
    const throughGateway = this.chance(0.6);
    for (let left = this.upTo(12); left > 0; left--) {
      const gateway = `${this.day} ${this.gateways[this.upTo(1)]}`;
      if (throughGateway) this.seen.set(gateway, (this.seen.get(gateway) ?? 0) + 1);
      if (this.limited) continue;
      this.truth[this.day] = (this.truth[this.day] ?? 0) + 1;
      if (this.hides && this.chance(0.5)) this.hidden[this.day] = (this.hidden[this.day] ?? 0) + 1;
      if (this.chance(0.2)) this.database.waiting++;
      else this.running++;
    }
  }

  finish(): void {
    for (let left = this.upTo(this.running); left > 0; left--, this.running--) if (this.chance(0.9)) this.database.succeeded++;
    for (let left = this.upTo(this.database.waiting); left > 0; left--, this.database.waiting--) this.database.succeeded++;
  }

  restart(restores: boolean): void {
    this.life++;
    this.running = 0;
    const before = { ...this.database };
    if (restores) this.database = { ...this.backups[this.upTo(this.backups.length - 1)]! };
    this.backups.push(before);
  }

  write(): void {
    for (const [key, count] of this.seen) if (this.chance(0.8)) this.written.set(key, Math.max(count, this.written.get(key) ?? 0));
  }

  killGateway(): void {
    const killed = this.upTo(1);
    this.gateways[killed] = Math.max(...this.gateways) + 1;
  }

  gatewayOn(day: number): number {
    return [...this.written].filter(([key]) => key.startsWith(`${day} `)).reduce((sum, [, count]) => sum + count, 0);
  }

  /** What record-usage.ts does with these functions. `gateway` was read before the workspace is called. */
  look(answers: boolean, isLimited: boolean): void {
    const gateway = Array.from({ length: this.day + 1 }, (_, day) => this.gatewayOn(day));
    if (this.chance(0.3)) this.run();
    const unfinished = this.running + this.database.waiting;
    if (this.chance(0.3)) this.finish();
    const { succeeded } = this.database;
    for (let day = 0; day <= this.day; day++) {
      const last = this.said.get(day) ?? 0;
      const reported = answers ? Math.max(last, (this.truth[day] ?? 0) - (this.hidden[day] ?? 0)) : last;
      const taken = takeReport(this.checks.get(day) ?? untouched, reported - last);
      this.said.set(day, reported);
      const statistics = answers && day === this.day ? { life: String(this.life), succeeded, unfinished } : null;
      const settled = settleDay(taken.check, {
        answered: answers,
        reported,
        reportedBefore: last,
        gateway: gateway[day]!,
        statistics,
        isLimited,
        now: this.clock,
      });
      this.checks.set(day, settled.check);
      this.counted.set(day, (this.counted.get(day) ?? 0) + taken.counted + settled.claimed);
      if (settled.isNews) this.news++;
    }
  }

  step(): void {
    const dice = this.random();
    this.clock = after(this.clock, (this.random() < 0.02 ? -3 : 1) * this.upTo(3) * 20 * secondMs);
    if (dice < 0.35) this.run();
    else if (dice < 0.5) this.finish();
    else if (dice < 0.7) this.write();
    else if (dice < 0.9) this.look(this.chance(0.9), this.limited);
    else if (dice < 0.94) this.restart(this.chance(0.4));
    else if (dice < 0.96) this.killGateway();
    else if (dice < 0.97 && this.hides) this.hidden = [];
    else if (dice < 0.98) this.day++;
  }

  /** The plan is used up for a while: everything is refused, and checks notice before the last refusal. */
  useUp(): void {
    this.look(true, false);
    this.limited = true;
    for (let left = this.upTo(20); left > 0; left--) this.step();
    this.limited = false;
    this.seen.forEach((count, key) => this.written.set(key, count));
    this.look(true, true);
  }
}

const seeds = Array.from({ length: 300 }, (_, index) => index + 1);

test("an honest workspace counts with exactly what it ran, whatever is killed, restored, late or written twice, without an alarm", () => {
  for (const seed of seeds) {
    const world = new World(seed, false);
    for (let left = 400; left > 0; left--) {
      if (world.chance(0.01)) world.useUp();
      else world.step();
    }
    world.look(true, false);
    for (let day = 0; day <= world.day; day++) expect(world.counted.get(day) ?? 0, `seed ${seed}, day ${day}`).toBe(world.truth[day] ?? 0);
    expect(world.news, `seed ${seed}`).toBe(0);
  }
});

test("a workspace that hides half counts with at least what the gateway saw and never more than it ran, even if it reports all in the end", () => {
  let caught = 0;
  for (const seed of seeds) {
    const world = new World(seed, true);
    let before = new Map<number, number>();
    for (let left = 400; left > 0; left--) {
      world.step();
      const wrong = [...world.counted].filter(([day, count]) => count < (before.get(day) ?? 0) || count > (world.truth[day] ?? 0));
      if (wrong.length > 0) expect(wrong, `seed ${seed}: never less than before, nor more than it ran`).toEqual([]);
      before = new Map(world.counted);
    }
    world.look(true, false);
    for (let day = 0; day <= world.day; day++)
      expect(world.counted.get(day) ?? 0, `seed ${seed}, day ${day}`).toBeGreaterThanOrEqual(world.gatewayOn(day));
    caught += world.news;
    world.hides = false;
    world.hidden = [];
    world.look(true, false);
    for (let day = 0; day <= world.day; day++) expect(world.counted.get(day) ?? 0, `seed ${seed}, day ${day}`).toBe(world.truth[day] ?? 0);
  }
  expect(caught).toBeGreaterThan(seeds.length / 2);
});
