import picture from "./backdrop.svg";

/** The slipway of the logo, drawn large: rails that run down to the waterline. */
export const Backdrop = () => (
  <img
    src={picture}
    alt=""
    aria-hidden="true"
    className="pointer-events-none absolute inset-0 -z-10 size-full object-cover object-bottom"
  />
);
