/** Checks, once typing pauses, whether an account name is free. If it cannot be checked, nothing is shown: registering decides. */
import { useEffect, useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { otherAccountNames } from "./suggest-account-name.ts";

export interface NameCheck {
  is: "unknown" | "checking" | "free" | "taken";
  /** A similar name that is free, if this one is taken. */
  instead?: string | undefined;
}

/** A pause longer than fast typists make between two letters. */
const pauseMs = 400;

const unknown: NameCheck = { is: "unknown" };
const taken: NameCheck = { is: "taken" };

/** `takenName`: what registering was refused for, because someone else took it meanwhile. */
export function useNameCheck(name: string, takenName: string): NameCheck {
  const isTaken = name !== "" && name === takenName;
  const [known, setKnown] = useState<{ name: string; check: NameCheck }>({ name: "", check: unknown });
  useEffect(() => {
    if (name === "") return;
    const controller = new AbortController();
    const { signal } = controller;
    const isFree = async (each: string) => (await callApi("checkAccountName", { params: { name: each }, signal })).available;
    const show = (check: NameCheck) => (signal.aborted ? undefined : setKnown({ name, check }));
    const offer = async () => {
      show(taken);
      for (const other of otherAccountNames(name)) {
        // Without a suggestion, people choose another name themselves.
        if (await isFree(other).catch(() => false)) return show({ ...taken, instead: other });
      }
    };
    const ask = async () => {
      const rules = await import("./registration-rules.ts").catch(() => null);
      if (signal.aborted || !rules?.isAccountName(name)) return;
      show({ is: "checking" });
      try {
        if (await isFree(name)) return show({ is: "free" });
      } catch {
        return show(unknown);
      }
      await offer();
    };
    const timer = isTaken ? setTimeout(() => void offer()) : setTimeout(() => void ask(), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [name, isTaken]);
  const check = known.name === name ? known.check : unknown;
  return isTaken && check.is !== "taken" ? taken : check;
}
