/** Which command runs the tests. */

/**
 * `npm test`, which a contributor waits for. What costs most and rarely differs (a second colour scheme, the same story with each payment
 * provider) is left to `npm run test:all`; a test that is named, or started by an editor, does everything.
 */
export const isQuickRun = process.env["SLIPWAY_TEST_KINDS"] === "quick";
