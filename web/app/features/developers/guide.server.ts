import { GUIDE_BLOCKS } from './guide-blocks.server';
import { type RenderedMarkdown, renderMarkdown } from './markdown.server';
import type { ServerLimits } from './reference.server';
import type { SearchedPage } from './search.server';
import { SECTIONS, type Section, sectionAddress } from './sections';

const TEXTS = import.meta.glob<string>('./guide/*.md', { eager: true, query: '?raw', import: 'default' });

/** In the files, in place of the server's own. */
const EXAMPLE_ORIGIN = 'https://clearframe.example';

const BLOCK = /\{\{(\w+)(?: ([\w-]+))?\}\}/g;

function expanded(text: string, limits: ServerLimits | null): string {
  return text.replace(BLOCK, (_match, name: string, argument = '') => {
    const block = GUIDE_BLOCKS[name];
    if (!block) throw new Error(`the guide has no block ${name}`);
    return block(argument, limits);
  });
}

/**
 * A section as Markdown, without its title.
 * @param limits null while `api` doesn't answer
 */
export function sectionMarkdown(section: Section, publicUrl: URL, limits: ServerLimits | null): string {
  const text = TEXTS[`./guide/${section}.md`];
  if (text === undefined) throw new Error(`the guide has no text for ${section}`);
  return expanded(text, limits).replaceAll(EXAMPLE_ORIGIN, publicUrl.origin);
}

let pages: readonly SearchedPage[] | undefined;

/** Every section, for the search. */
export function sectionPages(publicUrl: URL): readonly SearchedPage[] {
  pages ??= SECTIONS.map((section) => ({
    address: sectionAddress(section),
    title: ENGLISH[section][0],
    markdown: sectionMarkdown(section, publicUrl, null),
  }));
  return pages;
}

const rendered = new Map<Section, RenderedMarkdown & { readonly markdown: string }>();

/** The section's HTML, rendered again when a limit has changed. */
export function renderSection(section: Section, publicUrl: URL, limits: ServerLimits | null): RenderedMarkdown {
  const markdown = sectionMarkdown(section, publicUrl, limits);
  const known = rendered.get(section);
  if (known?.markdown === markdown) return known;
  const made = { ...renderMarkdown(markdown), markdown };
  rendered.set(section, made);
  return made;
}

/** Titles and one-line summaries in English, for `/llms.txt`, Markdown and the search. */
export const ENGLISH: Readonly<Record<Section, readonly [title: string, summary: string]>> = {
  'quick-start': ['Quick start', 'a key, one request, the finished picture'],
  authentication: ['Authentication', 'sending a key, and what it can do'],
  files: ['Files in and out', 'formats, sizes, forms and bytes, batches, videos, retention'],
  tools: ['Tools', 'the pipeline: each tool with its models'],
  results: ['Results', 'waiting, polling, final states, retries'],
  identity: ['Identity and fairness', 'likeness of each face, change map, recipe, what is never charged'],
  errors: ['Errors', 'every error code with what to do'],
  limits: ['Limits and prices', 'every limit in numbers, prices, retention'],
  changelog: ['Changelog', 'what changed, and how deprecations are announced'],
};
