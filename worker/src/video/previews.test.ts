import { expect, it } from 'vitest';
import type { VideoUpdate } from './files.js';
import { Previews } from './previews.js';

const due = { fraction: 0.2, seconds: 10, frame: 50 };

it.each([
  ['early in the video', { ...due, fraction: 0.05 }, 3000],
  ['in its first seconds', due, 1000],
  ['shortly before its end', { ...due, fraction: 0.8, seconds: 3 }, 3000],
])('makes no preview %s', async (_, progress, elapsed) => {
  const updates: VideoUpdate[] = [];
  const previews = new Previews((update) => updates.push(update), 0);
  previews.offer(progress, () => Promise.resolve(), elapsed);
  await previews.settled();
  expect(updates).toEqual([]);
});

it('makes one preview, and says of which frame', async () => {
  const updates: VideoUpdate[] = [];
  const previews = new Previews((update) => updates.push(update), 0);
  previews.offer(due, () => Promise.resolve(), 3000);
  previews.offer({ ...due, frame: 60 }, () => Promise.resolve(), 4000);
  await previews.settled();
  expect(updates).toEqual([{ type: 'preview', frame: 50 }]);
});
