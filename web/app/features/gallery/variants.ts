import texts from './gallery.json';

export const THEMES = ['light', 'dark'] as const;
export const DIRECTIONS = ['ltr', 'rtl'] as const;

export interface Variant {
  readonly theme: (typeof THEMES)[number];
  readonly direction: (typeof DIRECTIONS)[number];
}

/** This page is no part of the product, so that its words are here and not among the translated ones. */
export const TEXTS = texts;
export type Texts = typeof texts.ltr;
