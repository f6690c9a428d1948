/** Imported by the banner, which shows them. */
import { bannerWords } from "../features/banner/words.ts";
import { addWords } from "./words-of.ts";

addWords({ banner: bannerWords });
