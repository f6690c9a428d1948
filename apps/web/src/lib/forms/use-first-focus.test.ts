import { expect, test } from "vitest";
import { hideFirstBlur } from "./use-first-focus.ts";

/** A field that has the focus until it is left, and the events that the form receives. */
function standIn() {
  const field = Object.assign(new EventTarget(), { ownerDocument: { activeElement: null as unknown } }) as HTMLInputElement;
  const page = field.ownerDocument as { activeElement: unknown };
  page.activeElement = field;
  const leave = ({ forWindow = false } = {}): "heard" | "hidden" => {
    if (!forWindow) page.activeElement = null;
    const event = new Event("focusout");
    field.dispatchEvent(event);
    page.activeElement = field;
    return event.cancelBubble ? "hidden" : "heard";
  };
  return { field, leave };
}

test("leaving a field that the page had focused is hidden from the form once", () => {
  const { field, leave } = standIn();
  hideFirstBlur(field);
  expect([leave({ forWindow: true }), leave(), leave()]).toEqual(["hidden", "hidden", "heard"]);
});

test("it is not hidden once something was typed, nor after the page is gone", () => {
  const typed = standIn();
  hideFirstBlur(typed.field);
  typed.field.dispatchEvent(new Event("input"));
  expect(typed.leave()).toBe("heard");
  const gone = standIn();
  hideFirstBlur(gone.field)();
  expect(gone.leave()).toBe("heard");
});
