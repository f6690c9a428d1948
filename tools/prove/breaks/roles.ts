/** "Roles" of docs/coverage.md. */
import type { Break } from "../break.ts";

export const rolesBreaks: Break[] = [
  {
    row: "magic links only for owners",
    file: "domain/journeys/login-code/request-magic-link.ts",
    line: 'person?.kind === "member" && (await findOwner(db, person.accountId))?.userId === person.userId',
    by: "person !== null",
    test: "domain/journeys/login-code/login-code.test.ts",
    title: "is not mailed to strangers and publishers, who get the same answer in the same time",
  },
  {
    row: "a bearer token, also",
    file: "platform/http/session-cookie.ts",
    line: "return bearerToken(request) ?? (isNamedOnce",
    by: "return (isNamedOnce",
    test: "domain/journeys/sign-in/sign-in.test.ts",
    title: "a bearer token works as the cookie does",
  },
  {
    row: "a bearer token, also",
    file: "platform/http/session-cookie.ts",
    line: "? request.cookies[cookie.name] : undefined)",
    by: "? undefined : undefined)",
    test: "domain/journeys/sign-in/sign-in.test.ts",
    title: "a bearer token works as the cookie does",
  },
  {
    row: "other people are invited",
    file: "domain/journeys/invite-teammates/invite-members.ts",
    line: "const emails = [...new Set(given)];",
    by: "const emails = [...given];",
    test: "domain/journeys/invite-teammates/invite-teammates.test.ts",
    title: "several people are stored together, in lowercase, each once, until there is a workspace",
  },
];
