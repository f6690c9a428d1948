/**
 * VAT ids by country. Article 215 of the VAT directive 2006/112/EC: two letters of the country before the number, EL for Greece;
 * the numbers after the table of the European Commission's VIES ("Format of VAT identification numbers"). Northern Ireland trades
 * in goods under XI, in services under GB.
 */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CH: /^CHE\d{9}(MWST|TVA|IVA)?$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  ES: /^ES[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(GB(\d{9}|\d{12}|GD\d{3}|HA\d{3})|XI(\d{9}|\d{12}|GD\d{3}|HA\d{3}))$/,
  GR: /^EL\d{9}$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL\d{9}B\d{2}$/,
  NO: /^(NO)?\d{9}(MVA)?$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{10}01$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
};

/** Such as `DE123456789` for what was typed as `de 123.456.789`. */
export const writeVatId = (typed: string): string => typed.replace(/[\s.-]/g, "").toUpperCase();

/** Whether it has the form of a VAT id of that country; of countries without a form known here, any letters and digits do. */
export const isVatIdOf = (country: string, vatId: string): boolean => (formats[country] ?? /^[A-Z0-9]{2,20}$/).test(vatId);

/** The 27 countries of the EU, as ISO 3166-1 has them. */
export const euCountries: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);
