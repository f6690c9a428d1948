import { mintOperatorCode } from "#domain/journeys/login-code/mint-operator-code.ts";
import { noAccount } from "../account-of.ts";
import type { Command } from "../command.ts";

/** Prints a URL that signs in as a customer, once, within 60 s. The account's audit log records it. */
export const loginCode: Command = {
  name: "login-code",
  parameters: ["email or account name"],
  asksWhy: true,
  summary: "Print a URL that signs in as this customer once, within 60 seconds",
  async run({ db, clock, config, operator, reason = "", print }, { arguments: [login = ""] }) {
    const address = await mintOperatorCode({ db, clock, publicUrl: config.publicUrl }, login.toLowerCase(), { operator, reason });
    if (!address) throw noAccount(login);
    print(address);
  },
};
