import { expect, test } from 'vitest';
import { formatFoundIn } from './found-format';

const file = (content: string, name: string, type: string) => new File([content], name, { type });

test.each([
  ['a PDF named like a photo', file('%PDF-1.7', 'photo.jpg', 'image/jpeg'), 'PDF'],
  ['a video named like a photo', file('\0\0\0\x18ftypisom', 'photo.jpg', 'image/jpeg'), 'MP4'],
  ['a camera file without a type', file('II*', 'photo.cr2', ''), 'CR2'],
  ['text named like a photo', file('text', 'photo.png', 'image/png'), null],
  ['text named like a video', file('text', 'clip.mp4', 'video/mp4'), null],
  ['a damaged video', file('\0\0\0\x18ftypisom', 'clip.mov', 'video/quicktime'), null],
])('the format named for %s', async (_what, refused, found) => {
  expect(await formatFoundIn(refused)).toBe(found);
});
