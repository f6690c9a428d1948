/** Imported by everything that shows the words of the Sign-in and security page. */
import { sessionsWords } from "./en-sessions.ts";
import { addWords } from "./words.ts";

addWords({ sessions: sessionsWords });
