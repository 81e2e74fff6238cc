import { expect, it } from 'vitest';
import { refusalOf } from './refused-upload';

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
