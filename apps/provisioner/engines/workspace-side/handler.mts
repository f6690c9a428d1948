/** The part of Express, which both n8n and Node-RED include, that the calls below /_slipway need. */

export interface Request {
  method: string;
  path: string;
  /** With its query, as sent. */
  url?: string;
  headers: Record<string, string | undefined>;
  query: Record<string, unknown>;
  body?: unknown;
}

export interface Response {
  write(text: string): boolean;
  end(text?: string): void;
  once(event: "drain", listener: () => void): void;
  status(code: number): Response;
  set(name: string, value: string): Response;
  type(name: string): Response;
  send(body: string): Response;
  json(body: unknown): Response;
  redirect(code: number, to: string): void;
}

export type Handler<Asked extends Request = Request> = (request: Asked, response: Response, next: (error?: unknown) => void) => unknown;
