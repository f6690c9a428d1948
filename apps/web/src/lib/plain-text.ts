/** A text in lowercase and without accents, for comparing: `uber` finds `Über`. */
export const plainText = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
