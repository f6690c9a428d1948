/** The pages of the panel that an answer refers to. */
import type { PalettePage } from "../palette/palette-pages.ts";

type PlaceName = PalettePage["name"];

/** By the answer's id: the pages it mentions, in its order. */
const places: Readonly<Record<string, readonly PlaceName[]>> = {
  "link-expired": ["dashboard"],
  "skip-steps": ["dashboard"],
  "signed-in-elsewhere": ["security"],
  "change-email": ["security"],
  launch: ["dashboard"],
  statuses: ["dashboard"],
  offline: ["dashboard", "monitoring", "logs"],
  restart: ["manage"],
  timezone: ["manage"],
  invite: ["inviteTeammate", "members"],
  slow: ["monitoring", "logs", "changePlan"],
  "environment-variables": ["manage"],
  "community-nodes": ["manage"],
  files: ["monitoring", "backups"],
  "delete-workspace": ["danger"],
  update: ["versions"],
  "update-back": ["versions"],
  backups: ["backups"],
  "restore-backup": ["backups"],
  export: ["export", "backups"],
  limits: ["dashboard", "notifications", "changePlan"],
  "trial-end": ["changePlan", "backups"],
  "change-plan": ["changePlan"],
  "failed-payment": ["billing"],
  invoices: ["billing"],
  cancel: ["billing", "backups"],
  language: ["profile"],
  emails: ["notifications"],
};

/** By the answer's id: the section of its first page that it is about. */
const anchors: Readonly<Record<string, string>> = {
  "environment-variables": "variables",
  "community-nodes": "community-nodes",
  "failed-payment": "card",
  cancel: "cancel",
};

/** What to append to the address of an answer's first place to lead straight to its section; empty if it is about the whole page. */
export const anchorOf = (answerId: string): string => (anchors[answerId] ? `#${anchors[answerId]}` : "");

/** The places of an answer; empty if it mentions none. */
export const placesOf = (answerId: string): readonly PlaceName[] => places[answerId] ?? [];

/** Every id that has places. */
export const answersWithPlaces = Object.keys(places);
