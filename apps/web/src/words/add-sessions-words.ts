/** Imported by everything that shows the words of the Sign-in and security page. */
import { sessionsWords } from "../features/sessions/words.ts";
import { addWords } from "./words-of.ts";

addWords({ sessions: sessionsWords });
