/** The third-party hosts that the panel may use: only those that the operator's settings enable. */
import type { AnalyticsSetting, ChallengeSetting } from "../program/settings/outside-services.ts";

export interface OutsideServices {
  challenge: ChallengeSetting["kind"];
  analytics: AnalyticsSetting;
  sentryDsn: string | undefined;
  sentryEnvironment: string;
}

export interface OutsideSources {
  script: string[];
  connect: string[];
  image: string[];
  frame: string[];
}

const cloudflare = "https://challenges.cloudflare.com";
const tagManager = "https://www.googletagmanager.com";
const googleAnalytics = ["https://*.google-analytics.com", "https://*.analytics.google.com"];

/** Sources for the content security policy; none by default. */
export function outsideSources({ challenge, analytics, sentryDsn }: Omit<OutsideServices, "sentryEnvironment">): OutsideSources {
  const usesTags = analytics.tagManager !== null;
  const usesTurnstile = challenge === "turnstile";
  return {
    script: [...(usesTurnstile ? [cloudflare] : []), ...(usesTags ? [tagManager] : [])],
    connect: [
      ...(analytics.postHog ? [new URL(analytics.postHog.host).origin] : []),
      ...(usesTags ? [tagManager, ...googleAnalytics] : []),
      ...(sentryDsn ? [new URL(sentryDsn).origin] : []),
    ],
    image: usesTags ? [tagManager, ...googleAnalytics] : [],
    frame: usesTurnstile ? [cloudflare] : [],
  };
}
