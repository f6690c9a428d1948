/** Asks, once typing pauses, whether an account name is free. What cannot be asked is not shown: registering decides. */
import { useEffect, useState } from "react";
import { accountName } from "#contract/api/fields.ts";
import { callApi } from "../../../lib/api/api-client.ts";

export type NameCheck = "unknown" | "checking" | "free" | "taken";

/** A pause that fast typists do not reach between two letters. */
const pauseMs = 400;

export function useNameCheck(name: string): NameCheck {
  const [known, setKnown] = useState<{ name: string; is: NameCheck }>({ name: "", is: "unknown" });
  const isValid = accountName.safeParse(name).success;
  useEffect(() => {
    if (!isValid) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      setKnown({ name, is: "checking" });
      callApi("checkAccountName", { params: { name }, signal: controller.signal }).then(
        ({ available }) => setKnown({ name, is: available ? "free" : "taken" }),
        () => (controller.signal.aborted ? undefined : setKnown({ name, is: "unknown" })),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, isValid]);
  return isValid && known.name === name ? known.is : "unknown";
}
