import { PassThrough, type Transform } from 'node:stream';
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
