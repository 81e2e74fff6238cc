import arabic from '@fontsource-variable/noto-sans-arabic/index.css?url';
import devanagari from '@fontsource-variable/noto-sans-devanagari/index.css?url';
import japanese from '@fontsource-variable/noto-sans-jp/index.css?url';
import thai from '@fontsource-variable/noto-sans-thai/index.css?url';

const STYLES: Readonly<Record<string, string>> = { ar: arabic, hi: devanagari, ja: japanese, th: thai };

/** Stylesheet with the fonts of a script that Inter lacks, by language tag. */
export const fontStylesheetOf = (language: string): string | undefined => STYLES[language];
