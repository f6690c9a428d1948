/** What an operator is told about workspaces that can't leave a host because the host does not have their files. */

/** A lost disk may have held hundreds. */
const mostNamed = 20;

export const nameSome = (accountNames: readonly string[]): string =>
  accountNames.length <= mostNamed
    ? accountNames.join(", ")
    : `${accountNames.slice(0, mostNamed).join(", ")} and ${accountNames.length - mostNamed} more`;

export const explainMissing = (host: string, accountNames: readonly string[]): string =>
  `The files of these workspaces are missing on host ${host}, so they cannot be moved: ${nameSome(accountNames)}. ` +
  "Mount the disk that has the files, and they are moved too. If the disk is lost, stop the host's worker and restore them on the other hosts: " +
  `npm run ops -- restore-host ${host} (docs/runbooks/hosts.md)`;
