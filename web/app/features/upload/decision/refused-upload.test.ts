import { expect, it, vi } from 'vitest';
import { uploaderOf } from '../server/uploader.server';
import { showRefusal } from './refused-upload';

it('does not say the limit of a photo about a video with too many frames', async () => {
  const open = vi.fn();
  const context = { uploader: uploaderOf({ role: 'business', isGuest: false }), open };
  const problem = { code: 'uploads.too_large', requestId: 'x' } as const;
  expect(await showRefusal(problem, [new File([], 'beach.mp4', { type: 'video/mp4' })], context)).toBe(false);
  expect(open).not.toHaveBeenCalled();
});
