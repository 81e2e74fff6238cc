import { expect, it, test } from 'vitest';
import { formatFoundIn, refusalOf } from './refused-upload';

const VIDEO = new File(['x'], 'beach.mp4', { type: 'video/mp4' });
const PHOTO = new File(['x'], 'wall.png', { type: 'image/png' });

it('says nothing of the limit of photos about a video with too many frames', async () => {
  const error = { reason: 'too_many_frames', media: 'video' };
  expect(await refusalOf({ code: 'uploads.too_large' }, [VIDEO])).toEqual(error);
});

it('explains a file that would be refused again, and offers another', async () => {
  expect(await refusalOf({ code: 'uploads.too_many_pixels' }, [PHOTO])).toEqual({ reason: 'too_many_pixels' });
  expect(await refusalOf({ code: 'uploads.undecodable' }, [VIDEO])).toEqual({ reason: 'unreadable', media: 'video' });
  expect(await refusalOf({ code: 'uploads.layers_only' }, [PHOTO])).toEqual({ reason: 'layers_only' });
});

it('leaves a lost connection to the form, which sends the file again', async () => {
  expect(await refusalOf({ code: 'service.unavailable' }, [PHOTO])).toBeNull();
});

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
