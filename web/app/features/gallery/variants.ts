import texts from './gallery.json';

export const THEMES = ['light', 'dark'] as const;
export const DIRECTIONS = ['ltr', 'rtl'] as const;

export interface Variant {
  readonly theme: (typeof THEMES)[number];
  readonly direction: (typeof DIRECTIONS)[number];
}

/** Not translated: the page is for developers. */
export const TEXTS = texts;
export type Texts = typeof texts.ltr;
