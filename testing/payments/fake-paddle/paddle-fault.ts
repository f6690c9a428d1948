/** An error response from Paddle. */
export class PaddleFault extends Error {
  readonly status: number;
  readonly body: { type: "request_error" | "api_error"; code: string; detail: string; documentation_url: string };
  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.body = {
      type: status >= 500 ? "api_error" : "request_error",
      code,
      detail,
      documentation_url: "https://developer.paddle.com/v1/errors",
    };
  }
}

export const notFound = (what: string, id: string): PaddleFault => new PaddleFault(404, "not_found", `Unable to find ${what} ${id}`);
export const refused = (code: string, detail: string): PaddleFault => new PaddleFault(400, code, detail);
export const declined = (reason: string): PaddleFault => new PaddleFault(400, "subscription_payment_declined", reason);
