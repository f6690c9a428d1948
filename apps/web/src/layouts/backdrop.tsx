import picture from "./backdrop.svg";

/** The slipway of the mark, drawn large: rails that run down into the water line. */
export const Backdrop = () => (
  <img
    src={picture}
    alt=""
    aria-hidden="true"
    className="pointer-events-none absolute inset-0 -z-10 size-full object-cover object-bottom"
  />
);
