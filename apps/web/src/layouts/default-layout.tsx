import { loadFrame, PanelFrame } from "./panel-frame.tsx";

export const loader = loadFrame;

/** The pages of a customer, and those that are open to all. */
export const Component = () => <PanelFrame />;
