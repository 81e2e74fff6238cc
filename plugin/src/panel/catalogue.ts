import type { Catalogue } from '../core/texts.ts';

/** Replaced by the texts of all languages when the plug-in is built. */
declare const __CATALOGUE__: Catalogue;
export const CATALOGUE: Catalogue = __CATALOGUE__;
