import { PassThrough, Readable, type Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renderToPipeableStream } from 'react-dom/server';
import { expect, it } from 'vitest';
import { documentStream } from './document-stream.server';

const LABEL = 'اللغة: العربية';

/** Pages with a label at every place around the end of React's buffer. */
const pages = (through: () => Transform): Promise<string[]> =>
  Promise.all(
    Array.from({ length: 400 }, (_, offset) => {
      const filling = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => <i key={id} title={'x'.repeat(200)} />);
      const page = [...filling, <img key="label" src={'x'.repeat(offset)} alt={LABEL} />];
      return text(renderToPipeableStream(page).pipe(through()));
    }),
  );

it('keeps characters whole at the end of a buffer', async () => {
  expect((await pages(() => new PassThrough())).join()).toContain('\0');
  for (const html of await pages(documentStream)) {
    expect(html).toContain(`alt="${LABEL}"`);
    expect(html).not.toContain('\0');
  }
});

it.each([
  ['a low priority', '', 'modulepreload', 'type="module" async=""'],
  [
    'to wait for an important picture',
    '<img alt="" fetchPriority="high"/>',
    'later-modulepreload',
    'type="later-module"',
  ],
])('tells preloaded scripts %s, wherever a chunk ends', async (_what, picture, rel, type) => {
  const start = `<p>a < b, äöü</p>${picture}`;
  const end = '<link rel="icon"/>';
  const html = `${start}<link rel="modulepreload" href="/1.js"/><link rel="modulepreload" href="/2.js"/><script nonce="n" type="module" async="">1</script>${end}`;
  const expected = `${start}<link fetchpriority="low" rel="${rel}" href="/1.js"/><link fetchpriority="low" rel="${rel}" href="/2.js"/><script nonce="n" ${type}>1</script>${end}`;
  const bytes = Buffer.from(html);
  for (let at = 0; at <= bytes.length; at++) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)].filter(({ length }) => length > 0);
    expect(await text(Readable.from(chunks, { objectMode: false }).pipe(documentStream()))).toBe(expected);
  }
});
