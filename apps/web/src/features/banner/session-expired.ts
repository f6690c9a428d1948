/** Whether a session has ended by itself, and nobody has signed in or closed the notice since. */
import { createStore } from "../../lib/store.ts";

export const sessionExpired = createStore(false);
