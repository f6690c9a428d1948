import { addressOf } from "./config.ts";

/** The API's reference, which the service makes of the contract. */
export const apiReference = addressOf("/docs");
