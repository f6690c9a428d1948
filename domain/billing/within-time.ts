import { ProviderUnreachable, type PaymentProvider } from "./payment-provider.ts";

/**
 * The same provider, of which every call ends within `limitMs`: then ProviderUnreachable. What was asked may still happen, as with
 * any answer that is lost; whoever repeats the call does so with its key.
 */
export function withinTime(provider: PaymentProvider, limitMs: number): PaymentProvider {
  return new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      // The signature of a webhook is checked here and asks nobody.
      if (typeof member !== "function" || name === "readWebhook") return member;
      return (...asked: unknown[]) => limited(Reflect.apply(member, target, asked) as Promise<unknown>, String(name), limitMs);
    },
  });
}

async function limited(answer: Promise<unknown>, name: string, limitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ProviderUnreachable(`${name} was not answered within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
