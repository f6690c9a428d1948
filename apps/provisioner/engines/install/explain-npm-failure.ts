/** Turns what npm printed into a failure an operator can act on. */
import { EngineInstallFailure, type EngineInstallFailureCode } from "../engine.ts";

const networkCodes =
  /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPROTO|E429|E5\d\d|ERR_SOCKET_TIMEOUT|FETCH_ERROR|UNABLE_TO_\w+|SELF_SIGNED_\w+|CERT_\w+|DEPTH_ZERO_\w+)$/;
const explanations: readonly (readonly [RegExp, EngineInstallFailureCode, string])[] = [
  [/^(ENOSPC|EDQUOT)$/, "no_room", "the disk is full"],
  [networkCodes, "registry_unreachable", "the package registry can't be reached or doesn't work"],
  [/^EINTEGRITY$/, "not_identical", "the registry sent a package that is not the one qualified"],
  [/^(E404|ETARGET|ENOVERSIONS)$/, "failed", "the registry lacks a package of this release"],
  [/^(E401|E403|ENEEDAUTH)$/, "failed", "the registry refused"],
];

/** The failure behind an `npm install` that ended with an error; its cause is what npm printed. */
export function explainNpmFailure(subject: string, output: string): EngineInstallFailure {
  const npmCode = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? (/ENOSPC/.test(output) ? "ENOSPC" : "");
  const [, code, reason] = explanations.find(([pattern]) => pattern.test(npmCode)) ?? [undefined, "failed" as const, "npm failed"];
  return new EngineInstallFailure(code, `${subject} could not be installed: ${reason}. ${lastWords(output)}`, { cause: output });
}

/** The failure behind a native package that neither downloads nor compiles. */
export function explainBuildFailure(subject: string, packages: readonly string[], output: string): EngineInstallFailure {
  if (/ENOSPC|No space left/.test(output)) return explainNpmFailure(subject, output);
  const advice = "It needs either a download from the internet or a compiler: install g++ make python3, then try again.";
  return new EngineInstallFailure(
    "compile_failed",
    `${subject} could not be built: ${packages.join(", ")} did not compile. ${advice} ${lastWords(output)}`,
  );
}

/** The lines of npm's report with facts, without its advice on where to find the log. */
function lastWords(output: string): string {
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim());
  const facts = lines.filter((line) => line !== "" && !line.startsWith("npm warn") && !/complete log|^\s*at /.test(line));
  return facts.slice(-4).join(" ").slice(0, 600);
}
