/** Imported by the banner, which shows them. */
import { bannerWords } from "./en-banner.ts";
import { addWords } from "./words.ts";

addWords({ banner: bannerWords });
