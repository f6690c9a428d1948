/** The breaks of each section of docs/coverage.md, and the rows without one. */
import type { Break, Unproved } from "./break.ts";
import { callsBreaks } from "./breaks/calls.ts";
import { constantsBreaks } from "./breaks/constants.ts";
import { entitiesBreaks } from "./breaks/entities.ts";
import { furtherCallsBreaks } from "./breaks/further-calls.ts";
import { messagesBreaks } from "./breaks/messages.ts";
import { rolesBreaks } from "./breaks/roles.ts";
import { rulesBreaks } from "./breaks/rules.ts";
import { screensBreaks } from "./breaks/screens.ts";
import { statesBreaks } from "./breaks/states.ts";
import { validationBreaks } from "./breaks/validation.ts";
import { whatItIsForBreaks } from "./breaks/what-it-is-for.ts";

export const breaks: readonly Break[] = [
  ...whatItIsForBreaks,
  ...screensBreaks,
  ...entitiesBreaks,
  ...statesBreaks,
  ...validationBreaks,
  ...rolesBreaks,
  ...callsBreaks,
  ...furtherCallsBreaks,
  ...messagesBreaks,
  ...constantsBreaks,
  ...rulesBreaks,
];

export const unproved: readonly Unproved[] = [
  { row: "beyond the plan's executions a call is refused", why: "engine" },
  { row: "-1 is unlimited; executions", why: "engine" },
  { row: "the whole sign-up; half-way", why: "engine" },
  { row: "each page's weight", why: "many" },
];
