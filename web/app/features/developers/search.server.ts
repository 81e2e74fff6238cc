import { slugOf, textOfMarkdown } from './markdown.server';

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

export interface SearchedPage {
  readonly address: string;
  readonly title: string;
  readonly markdown: string;
}

/** A page by its headings. */
const passagesOf = ({ address, title, markdown }: SearchedPage): Passage[] =>
  markdown.split(/^(?=#{2,3} )/m).map((part): Passage => {
    const [, heading] = /^#{2,3} (.*)/.exec(part) ?? [];
    if (heading === undefined) return { address, section: title, heading: title, text: textOfMarkdown(part) };
    const name = textOfMarkdown(heading);
    const text = textOfMarkdown(part.slice(part.indexOf('\n')));
    return { address: `${address}#${slugOf(name)}`, section: title, heading: name, text };
  });

const cut = new WeakMap<readonly SearchedPage[], readonly Passage[]>();

/** Cut once for the same pages. */
function passagesIn(pages: readonly SearchedPage[]): readonly Passage[] {
  const passages = cut.get(pages) ?? pages.flatMap(passagesOf);
  cut.set(pages, passages);
  return passages;
}

const countOf = (text: string, word: string): number => text.split(word).length - 1;

/** Passages with every word of the query, best first. */
export function searchPages(query: string, pages: readonly SearchedPage[]): SearchHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  if (words.length === 0) return [];
  return passagesIn(pages)
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
