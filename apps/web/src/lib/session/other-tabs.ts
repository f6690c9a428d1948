/** This tab's line to the others. Opened once; a tab never hears itself. */
import { createSessionChannel } from "./session-channel.ts";

const channel = createSessionChannel();

export const tellOtherTabs = channel.send;
export const hearOtherTabs = channel.hear;
