/**
 * Whether a finger, a pen or a mouse pressed. Screen readers on touch screens announce a press as well: of no size, or, as TalkBack, one of
 * a mouse of one pixel that does not press. Safari's mouse does not press either, but counts its clicks.
 */
export function isRealPress({ width, height, pressure, detail, pointerType }: PressLook): boolean {
  if (width === 0 && height === 0) return false;
  return !(width === 1 && height === 1 && pressure === 0 && detail === 0 && pointerType === "mouse");
}

type PressLook = Pick<PointerEvent, "width" | "height" | "pressure" | "detail" | "pointerType">;
