/** Checks, once typing pauses, whether an account name is free. If it cannot be checked, nothing is shown: registering decides. */
import { useEffect, useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";

export type NameCheck = "unknown" | "checking" | "free" | "taken";

/** A pause longer than fast typists make between two letters. */
const pauseMs = 400;

export function useNameCheck(name: string): NameCheck {
  const [known, setKnown] = useState<{ name: string; is: NameCheck }>({ name: "", is: "unknown" });
  useEffect(() => {
    if (name === "") return;
    const controller = new AbortController();
    const ask = async () => {
      const rules = await import("./registration-rules.ts").catch(() => null);
      if (controller.signal.aborted || !rules?.isAccountName(name)) return;
      setKnown({ name, is: "checking" });
      callApi("checkAccountName", { params: { name }, signal: controller.signal }).then(
        ({ available }) => setKnown({ name, is: available ? "free" : "taken" }),
        () => (controller.signal.aborted ? undefined : setKnown({ name, is: "unknown" })),
      );
    };
    const timer = setTimeout(() => void ask(), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name]);
  return known.name === name ? known.is : "unknown";
}
