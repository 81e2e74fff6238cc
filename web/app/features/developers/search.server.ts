import { ENGLISH, sectionMarkdown } from './guide.server';
import { slugOf, textOfMarkdown } from './markdown.server';
import { SECTIONS, sectionAddress } from './sections';

export interface SearchHit {
  readonly address: string;
  readonly section: string;
  readonly heading: string;
  readonly excerpt: string;
}

interface Passage {
  readonly address: string;
  readonly section: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_HITS = 20;
const EXCERPT_LENGTH = 160;
/** A word of a heading counts as much as this many of the text. */
const HEADING_WEIGHT = 10;

/** The guide by its headings. */
function passagesOf(publicUrl: URL): Passage[] {
  return SECTIONS.flatMap((section) => {
    const [title] = ENGLISH[section];
    const address = sectionAddress(section);
    return sectionMarkdown(section, publicUrl)
      .split(/^(?=#{2,3} )/m)
      .map((part): Passage => {
        const [, heading] = /^#{2,3} (.*)$/m.exec(part.startsWith('#') ? part : '') ?? [];
        const text = textOfMarkdown(heading === undefined ? part : part.slice(part.indexOf('\n')));
        const name = heading === undefined ? title : textOfMarkdown(heading);
        return {
          address: heading === undefined ? address : `${address}#${slugOf(name)}`,
          section: title,
          heading: name,
          text,
        };
      });
  });
}

let passages: readonly Passage[] | undefined;

const countOf = (text: string, word: string): number => text.split(word).length - 1;

/** Passages with every word of the query, best first. */
export function searchGuide(query: string, publicUrl: URL): SearchHit[] {
  passages ??= passagesOf(publicUrl);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  return passages
    .map((passage) => ({ passage, score: scoreOf(passage, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_HITS)
    .map(({ passage: { text, ...rest } }) => ({ ...rest, excerpt: excerptOf(text, words) }));
}

/** 0 where a word is missing. */
function scoreOf({ heading, text }: Passage, words: readonly string[]): number {
  const [title, body] = [heading.toLowerCase(), text.toLowerCase()];
  const counts = words.map((word) => countOf(title, word) * HEADING_WEIGHT + countOf(body, word));
  return counts.every((count) => count > 0)
    ? counts.reduce((sum, count) => sum + Math.min(count, 2 * HEADING_WEIGHT), 0)
    : 0;
}

function excerptOf(text: string, words: readonly string[]): string {
  const found = Math.max(0, text.toLowerCase().indexOf(words[0] ?? ''));
  const start = text.lastIndexOf(' ', Math.max(0, found - 40)) + 1;
  const excerpt = text.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${excerpt}${start + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}
