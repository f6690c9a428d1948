/** A real SMTP server on loopback for tests: keeps what it accepts, and can refuse, hang and drop. */
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/**
 * What the server does with the next mails: accepts them, refuses them with a code (and a text, which begins with the status of RFC 3463
 * where the server has one) at a stage, reads a message and never
 * answers (`hang`), or reads it and cuts the connection (`drop`).
 */
type SmtpBehaviour = "accept" | "hang" | "drop" | { refuse: number; text?: string; at: "sender" | "recipient" | "message" };

interface ReceivedMail {
  messageId: string;
  /** From the envelope. */
  from: string;
  to: string[];
  /** Just before the server answered 250; based on `performance.timeOrigin`, in ms. */
  acceptedAtMs: number;
  email: Email;
}

export interface TestSmtpServer {
  url: string;
  received: ReceivedMail[];
  /** Messages read to their end, whatever happened to them. */
  readCount(): number;
  /** How many connections were opened in total. */
  connectionCount(): number;
  behave(behaviour: SmtpBehaviour): void;
  close(): Promise<void>;
}

interface SmtpServerOptions {
  /** Its processing time for each message. */
  answerAfterMs?: () => number;
  /** What each message, once read, is held for before it is answered. */
  hold?: () => Promise<void>;
}

/** Starts a server without TLS and sign-in. */
export async function startSmtpServer({
  answerAfterMs = () => 0,
  hold = () => Promise.resolve(),
}: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Map<number, Socket>();
  let behaviour: SmtpBehaviour = "accept";
  let readCount = 0;
  let connectionCount = 0;

  const refusal = (at: "sender" | "recipient" | "message") =>
    typeof behaviour === "object" && behaviour.at === at ? refused(behaviour) : undefined;

  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    closeTimeout: 100,
    onMailFrom: (_address, _session, callback) => callback(refusal("sender")),
    onRcptTo: (_address, _session, callback) => callback(refusal("recipient")),
    onData: async (stream, session, callback) => {
      // A client that dies within a message has sent nothing.
      const content = await buffer(stream).catch(() => undefined);
      if (!content) return;
      readCount++;
      const current = behaviour;
      if (current === "hang") return;
      if (current === "drop") return void sockets.get(session.remotePort)?.destroy();
      const error = refusal("message");
      if (error) return callback(error);
      await delay(answerAfterMs());
      await hold();
      const email = await PostalMime.parse(content);
      const { mailFrom, rcptTo } = session.envelope;
      received.push({
        messageId: email.messageId ?? "",
        from: mailFrom ? mailFrom.address : "",
        to: rcptTo.map(({ address }) => address),
        acceptedAtMs: performance.timeOrigin + performance.now(),
        email,
      });
      callback();
    },
  });
  // Clients that are killed within a command are part of the tests.
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    connectionCount++;
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on("close", () => sockets.delete(port));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    readCount: () => readCount,
    connectionCount: () => connectionCount,
    behave: (next) => void (behaviour = next),
    close: async () => {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function refused({ refuse, text = "refused by the test" }: { refuse: number; text?: string }): Error {
  return Object.assign(new Error(text), { responseCode: refuse });
}
