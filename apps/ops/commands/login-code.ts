import { mintOperatorCode } from "#domain/journeys/login-code/mint-operator-code.ts";
import { CommandRefused, type Command } from "../command.ts";

/** Prints an address that signs in as a customer, once and within 60 s; their account's audit log says so. */
export const loginCode: Command = {
  name: "login-code",
  parameters: ["email or account name"],
  options: { reason: { type: "string", summary: "why, for the audit log: a ticket's number" } },
  summary: "Print an address that signs in as this customer, once and within 60 seconds",
  async run({ db, clock, config, operator, print }, { arguments: [login = ""], options }) {
    const reason = typeof options["reason"] === "string" ? options["reason"] : "not given";
    const address = await mintOperatorCode({ db, clock, publicUrl: config.publicUrl }, login.toLowerCase(), { operator, reason });
    if (!address) throw new CommandRefused(`Nobody with an account has the e-mail address or account name ${login}.`);
    print(address);
  },
};
