import { expect } from "vitest";
import type { PanelServer } from "./serve-panel.ts";

/** Fails if a page made a call to which neither the test nor the usual answers had an answer. For after each test. */
export function expectAnswered({ unanswered }: PanelServer): void {
  expect(unanswered.splice(0), "calls without an answer").toEqual([]);
}
