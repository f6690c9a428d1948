import { expect, test } from "vitest";
import { enHelp } from "./answers.ts";
import { answersWithPlaces, placesOf } from "./help-places.ts";

const items = enHelp.flatMap((section) => [...section.items]);
const named = {
  Monitoring: "monitoring",
  Logs: "logs",
  Settings: "manage",
  Versions: "versions",
  Backups: "backups",
  Export: "export",
  Billing: "billing",
  Danger: "danger",
} as const;

test("links belong to answers that exist", () =>
  expect(answersWithPlaces.filter((id) => !items.some((item) => item.id === id))).toEqual([]));

test("an answer that names a place of the manage area links there", () => {
  const missing = items.flatMap(({ id, answer }) =>
    [...answer.matchAll(/\bManage > (\w+)/g)].flatMap(([, name]) => {
      const place = named[name as keyof typeof named];
      return placesOf(id).includes(place) ? [] : [`${id}: ${name}`];
    }),
  );
  expect(missing).toEqual([]);
});
