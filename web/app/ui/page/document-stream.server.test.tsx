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

it('gives preloaded scripts a low priority, wherever a chunk ends', async () => {
  const html =
    '<p>a < b</p><link rel="modulepreload" href="/1.js"/><link rel="modulepreload" href="/2.js"/><link rel="icon"/>';
  const lowered = html.replaceAll('rel="modulepreload"', 'fetchpriority="low" rel="modulepreload"');
  for (let at = 0; at <= html.length; at++) {
    const chunks = [html.slice(0, at), html.slice(at)].filter(Boolean).map((part) => Buffer.from(part));
    expect(await text(Readable.from(chunks, { objectMode: false }).pipe(documentStream()))).toBe(lowered);
  }
});
