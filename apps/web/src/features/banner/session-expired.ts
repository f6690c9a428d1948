/** Whether a session has expired, and no one has signed in or closed the notice since. */
import { createStore } from "../../lib/store.ts";

export const sessionExpired = createStore(false);
