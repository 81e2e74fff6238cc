import { createRequire } from 'node:module';
import type PDFDocument from 'pdfkit';

const require = createRequire(import.meta.url);
const fontFile = (path: string): string => require.resolve(`@expo-google-fonts/${path}.ttf`);

/** Scripts that Noto Sans (Latin, Cyrillic, Vietnamese, Devanagari) lacks, with the fonts that have them. */
const SCRIPT_FONTS = [
  { name: 'arabic', script: /\p{Script=Arabic}/u },
  { name: 'thai', script: /\p{Script=Thai}/u },
  {
    name: 'japanese',
    script: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u,
  },
] as const;

const FONT_FILES: Readonly<Record<string, string>> = {
  latin: fontFile('noto-sans/400Regular/NotoSans_400Regular'),
  'latin-bold': fontFile('noto-sans/600SemiBold/NotoSans_600SemiBold'),
  arabic: fontFile('noto-sans-arabic/400Regular/NotoSansArabic_400Regular'),
  'arabic-bold': fontFile('noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold'),
  thai: fontFile('noto-sans-thai/400Regular/NotoSansThai_400Regular'),
  'thai-bold': fontFile('noto-sans-thai/600SemiBold/NotoSansThai_600SemiBold'),
  japanese: fontFile('sawarabi-gothic/400Regular/SawarabiGothic_400Regular'),
  // It has one weight.
  'japanese-bold': fontFile('sawarabi-gothic/400Regular/SawarabiGothic_400Regular'),
};

/** A CommonJS file, which its types describe as an ES module. */
const bidi = (require('bidi-js') as typeof import('bidi-js').default)();
/** They order the text and are not drawn. */
const BIDI_CONTROLS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const NEUTRAL = /[\s\p{P}\p{S}\p{M}]/u;

interface Run {
  text: string;
  readonly font: string;
}

/** Parts of a line from left to right, each in one direction and font: pdfkit does neither. */
export function runsOf(line: string, direction: 'ltr' | 'rtl' | 'auto'): Run[] {
  const embedding = bidi.getEmbeddingLevels(line, direction);
  const mirrored = bidi.getMirroredCharactersMap(line, embedding.levels);
  const runs: (Run & { level: number; indices: number[] })[] = [];
  for (let at = 0; at < line.length; ) {
    const character = String.fromCodePoint(line.codePointAt(at) ?? 0);
    const level = embedding.levels[at] ?? 0;
    const last = runs.at(-1);
    const own = SCRIPT_FONTS.find(({ script }) => script.test(character))?.name;
    const font = own ?? (last && NEUTRAL.test(character) ? last.font : 'latin');
    const text = (level % 2 === 1 && mirrored.get(at)) || character;
    if (last && last.level === level && last.font === font) {
      last.text += text;
      last.indices.push(at);
    } else runs.push({ text, font, level, indices: [at] });
    at += character.length;
  }
  const places = new Map(bidi.getReorderedIndices(line, embedding).map((index, place) => [index, place]));
  const placeOf = ({ indices }: { indices: number[] }): number => Math.min(...indices.map((at) => places.get(at) ?? 0));
  return runs
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map(({ text, font, level }) => {
      const shown = text.replace(BIDI_CONTROLS, '');
      // The shaper turns runs with Arabic letters itself.
      const isTurned = level % 2 === 1 && font !== 'arabic';
      return { text: isTurned ? [...shown].reverse().join('') : shown, font };
    })
    .filter(({ text }) => text !== '');
}

/** In points, from the top of the page. `x`: where the line starts, in its direction. */
export interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly isBold?: boolean;
  readonly color?: string;
  /** `x` is where it ends. */
  readonly atEnd?: boolean;
  /** Of text that isn't in the language of the document; `auto`: of its first letter. */
  readonly direction?: 'ltr' | 'auto';
  /** A longer line is set smaller. */
  readonly maxWidth: number;
}

/** Without features pdfkit would set word after word from left to right, in Arabic as well. */
const WHOLE_RUN: PDFKit.Mixins.TextOptions = { features: [], lineBreak: false, baseline: 'alphabetic' };

/** Writes lines of any of the product's languages. `x` is mirrored for those from right to left. */
export class LineWriter {
  constructor(
    private readonly document: InstanceType<typeof PDFDocument>,
    private readonly direction: 'ltr' | 'rtl',
  ) {
    for (const [name, file] of Object.entries(FONT_FILES)) document.registerFont(name, file);
  }

  write({ text, x, y, size, isBold = false, color = '#14161a', atEnd = false, direction, maxWidth }: Line): void {
    const runs = runsOf(text, direction ?? this.direction).map((run) => {
      const font = isBold ? `${run.font}-bold` : run.font;
      return { text: run.text, font, width: this.document.font(font, size).widthOfString(run.text, WHOLE_RUN) };
    });
    const width = runs.reduce((sum, run) => sum + run.width, 0);
    const scale = Math.min(1, maxWidth / width);
    const isLeft = (this.direction === 'ltr') !== atEnd;
    let left = (this.direction === 'ltr' ? x : this.document.page.width - x) - (isLeft ? 0 : width * scale);
    this.document.fillColor(color);
    for (const run of runs) {
      this.document.font(run.font, size * scale).text(run.text, left, y, WHOLE_RUN);
      left += run.width * scale;
    }
  }
}
