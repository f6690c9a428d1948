import type { Translated } from "../../../words/spoken.ts";
import type { upgradeWords } from "./words.ts";

export default {
  upgrade: {
    label: "Tarif",
    upgradePlan: "Tarif wählen",
    resubscribe: "Abo fortsetzen",
    changeInstanceSize: "Tarif wechseln",
    updateBillingFirst: "Bitte aktualisieren Sie zuerst Ihre Zahlungsdaten, und wechseln Sie dann den Tarif.",
    trialLeft_one: "Noch {{count}} Tag Testphase",
    trialLeft_other: "Noch {{count}} Tage Testphase",
    trialOver: "Testphase beendet",
    ended: "Ihr Abo ist beendet",
    metaFailed: "Die Angaben zu Ihrem Tarif konnten nicht geladen werden",
    byMail: {
      action: "Vertrieb kontaktieren",
      none: "Wenden Sie sich an den Betreiber dieses Dienstes.",
      subject: "Anfrage zu einem individuellen Tarif",
    },
    arranged: {
      title: "Ihr Tarif endet am {{date}}",
      text: "Er wurde mit uns vereinbart. Wenden Sie sich an uns, um ihn zu verlängern. Ohne Verlängerung stoppt Ihr Workspace an diesem Tag, und 30 Tage später wird er gelöscht. Ein letztes Backup wird danach {{backupDays}} Tage aufbewahrt.",
      subject: "Unser Slipway-Tarif",
      action: "Support kontaktieren",
    },
  },
} satisfies Translated<{ upgrade: typeof upgradeWords }>;
