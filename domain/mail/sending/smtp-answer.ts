/** What a mail server's refusal is about: this mail, its recipient for now, or us. */

/**
 * `final`: no further attempt can help this mail. `refused`: the same, as far as a bare code tells. `later`: this mail may pass later, and others are not concerned. `any-mail`: the next mail
 * would fail as well, whoever it is for. `policy`: the server does not take it from us, perhaps for this recipient alone.
 */
export type AnswerAbout = "final" | "refused" | "later" | "any-mail" | "policy";

/** What nodemailer reports: the command that failed, and the server's answer if there was one. */
export interface SmtpFailure {
  /** Nodemailer's, such as `EAUTH`, `EDNS` and `ESOCKET`. */
  code?: string;
  /** The system's, such as `ECONNREFUSED`. */
  originalCode?: string;
  /** Which of nodemailer's time limits ran out. */
  timeoutType?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * RFC 3463: no such mailbox or system, an address that is not one, a mailbox that moved or is disabled, a message too long for the system,
 * and what is wrong with the message's content; RFC 7505: a domain without mail (5.1.10).
 */
const finalStatus = /^5\.(1\.([1236]|10)|2\.1|3\.4|6\.\d+)$/;
/** Of a mailbox, for now: full, or over a limit of its own. */
const laterStatus = /^5\.2\.\d+$/;
/** RFC 5321, 4.2.3: about the mailbox or the message, where a server adds no status of RFC 3463. */
const finalCodes: Readonly<Record<string, readonly number[]>> = { "RCPT TO": [550, 551, 553], DATA: [552, 554] };

/** Judges a failed attempt. Without a sign that it is about the mail it is not final: a late mail is better than a lost one. */
export function judgeAnswer(failure: SmtpFailure): AnswerAbout {
  const { command = "", responseCode, response = "" } = failure;
  if (responseCode === undefined) return isUnreachable(failure) ? "any-mail" : "later";
  // 421: the server is closing, whatever it was asked.
  if (responseCode === 421 || !(command in finalCodes)) return "any-mail";
  if (responseCode < 500) return "later";
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  if (status === undefined) return finalCodes[command]?.includes(responseCode) ? "refused" : "policy";
  if (finalStatus.test(status)) return "final";
  return laterStatus.test(status) ? "later" : "policy";
}

/** No session was opened. A connection lost within a message may be about that message. */
const isUnreachable = ({ code = "", originalCode = "", timeoutType }: SmtpFailure): boolean =>
  ["EDNS", "ETLS", "EAUTH"].includes(code) ||
  ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"].includes(originalCode) ||
  (code === "ETIMEDOUT" && timeoutType !== "SOCKET_TIMEOUT");
