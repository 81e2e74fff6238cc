import { readFile } from 'node:fs/promises';
import { ERRORS, FINAL_STATUSES, isFinal, STORED_TASK_STATUSES } from '@clearframe/contract';
import { describe, expect, it } from 'vitest';
import { KEY_ERRORS } from './errors.server';
import { renderSection, sectionMarkdown, sectionPages } from './guide.server';
import { renderMarkdown } from './markdown.server';
import { searchPages } from './search.server';
import { SECTIONS } from './sections';

const SITE = new URL('https://pictures.test');
const LIMITS = { rates: { writes: { requests: 1_234, seconds: 600 } }, waiting_pictures: 77 };
const read = (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8');
/** Cells of tables are padded. */
const unpadded = (text: string): string => text.replace(/ +/g, ' ');

describe.each(SECTIONS)('section %s', (section) => {
  const markdown = sectionMarkdown(section, SITE, LIMITS);
  const { html } = renderSection(section, SITE, LIMITS);

  it("names the server's own address and leaves no block open", () => {
    expect(markdown).not.toContain('clearframe.example');
    expect(markdown).not.toContain('{{');
    expect(html).not.toContain('undefined');
  });

  it('links only to sections and headings that exist', () => {
    for (const [, name = '', id] of html.matchAll(/href="\/developers(?:\/([\w-]+))?(?:#([\w-]+))?"/g)) {
      if (name === 'reference') continue;
      const target = SECTIONS.find((each) => each === (name || 'quick-start'));
      expect(target, name).toBeDefined();
      if (target && id) expect(renderSection(target, SITE, LIMITS).headings.map((heading) => heading.id)).toContain(id);
    }
  });

  it('has each id once', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });
});

it('explains every error that a key can get', () => {
  const errors = sectionMarkdown('errors', SITE, LIMITS);
  for (const code of KEY_ERRORS) expect(errors).toContain(`| \`${code}\` | ${ERRORS[code].title} |`);
});

it('explains every final state', () => {
  const results = sectionMarkdown('results', SITE, LIMITS);
  for (const status of FINAL_STATUSES) expect(results).toContain(`| \`${status}\` |`);
});

it('has the figures of the benches', async () => {
  const identity = unpadded(sectionMarkdown('identity', SITE, LIMITS));
  const quality = unpadded(await read('bench/results/quality.md'));
  const rows = [...identity.matchAll(/^\| (mild|medium|heavy) \| ([a-z ]+) \| (.+) \|$/gm)];
  expect(rows).toHaveLength(6);
  for (const [, severity, variant, figures = ''] of rows) {
    const [, measured = ''] = new RegExp(`^\\| ${severity} \\| ${variant} \\| (.+) \\|$`, 'm').exec(quality) ?? [];
    expect(measured.split(' | ').slice(-3)).toEqual(figures.split(' | '));
  }
});

it('has the figures of the model card', async () => {
  const card = unpadded(await read('models/train/MODEL_CARD.md'));
  const rows = [...unpadded(sectionMarkdown('identity', SITE, LIMITS)).matchAll(/ITA [^)]+\) \| \d+ \| (.+) \|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, figures = ''] of rows)
    for (const pair of figures.split(' | ')) expect(card).toContain(pair.replace('→', '/'));
});

it('has the limits of the server, and its own without it', () => {
  const limits = unpadded(sectionMarkdown('limits', SITE, LIMITS));
  expect(limits).toContain('| `writes` | 1,234 in 10 minutes |');
  expect(limits).toContain('Up to 77 pictures');
  expect(sectionMarkdown('limits', SITE, null)).toContain('`RateLimit-Policy`');
});

it('polling ends at every final status, and at no other', async () => {
  const [, statuses = ''] =
    /IN\(([^)]+)\)/.exec(await read('web/app/features/developers/guide/snippets/poll.sh')) ?? [];
  const ends = statuses.split(/\W+/).filter(Boolean);
  expect(STORED_TASK_STATUSES.filter((status) => ends.includes(status))).toEqual(STORED_TASK_STATUSES.filter(isFinal));
  expect(ends).toHaveLength(FINAL_STATUSES.length);
});

describe('the search', () => {
  const search = (query: string) => searchPages(query, sectionPages(SITE));

  it('finds passages with every word, those with it in the heading first', () => {
    const [first, ...others] = search('final states');
    expect(first).toMatchObject({ address: '/developers/results#final-states', heading: 'Final states' });
    for (const { excerpt } of others) expect(excerpt.length).toBeGreaterThan(0);
    expect(search('final zebra')).toEqual([]);
    expect(search('  ')).toEqual([]);
  });

  it('finds error codes', () => {
    expect(search('uploads.layers_only').map(({ address }) => address)).toContain('/developers/errors#422');
  });
});

describe('Markdown', () => {
  it('shows raw HTML as text', () => {
    const { html } = renderMarkdown('<script>alert(1)</script>\n\nand <b onclick="x()">this</b>\n\n`<i>`');
    expect(html).not.toMatch(/<(script|b|i)\b/);
  });

  it('makes tabs of labeled code blocks that follow each other', () => {
    const { html } = renderMarkdown(
      '```bash curl\na\n```\n\n```python Python\nb\n```\n\n```bash curl\nc\n```\n\ntext\n\n```bash\nd\n```',
    );
    expect(html.match(/<fieldset/g)).toHaveLength(1);
    expect(html.match(/type="radio"/g)).toHaveLength(3);
    expect(html.match(/ checked/g)).toHaveLength(1);
  });
});
