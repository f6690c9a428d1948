/** The channel to this browser's other tabs. Opened once; a tab never receives its own messages. */
import { createSessionChannel } from "./session-channel.ts";

const channel = createSessionChannel();

export const tellOtherTabs = channel.send;
export const hearOtherTabs = channel.hear;
