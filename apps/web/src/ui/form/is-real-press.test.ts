import { expect, test } from "vitest";
import { isRealPress } from "./is-real-press.ts";

test.each([
  ["a mouse", { width: 1, height: 1, pressure: 0.5, detail: 0, pointerType: "mouse" }, true],
  ["Safari's mouse", { width: 1, height: 1, pressure: 0, detail: 1, pointerType: "mouse" }, true],
  ["a finger", { width: 23, height: 23, pressure: 1, detail: 0, pointerType: "touch" }, true],
  ["a pen", { width: 1, height: 1, pressure: 0.2, detail: 0, pointerType: "pen" }, true],
  ["VoiceOver", { width: 0, height: 0, pressure: 0, detail: 0, pointerType: "mouse" }, false],
  ["TalkBack", { width: 1, height: 1, pressure: 0, detail: 0, pointerType: "mouse" }, false],
])("a press of %s", (_who, press, isReal) => expect(isRealPress(press)).toBe(isReal));
