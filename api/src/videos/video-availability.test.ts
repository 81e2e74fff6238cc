import { VIDEO_AVAILABILITY, VIDEO_AVAILABILITY_KEY } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { expect, it } from 'vitest';
import { useVideosFixture } from '../../test/support/videos-fixture.js';
import { VideoAvailability } from '../settings/settings.service.js';

const fixture = useVideosFixture();

it('is available in the settings unless every worker reports that ffmpeg is missing', async () => {
  const { redis, app } = fixture.api;
  const client = app.get(RedisClient, { strict: false });
  // Each reads without the cache, which lasts seconds.
  const isAvailable = () => new VideoAvailability(client).isAvailable();
  expect(await isAvailable()).toBe(true);
  await redis.set(VIDEO_AVAILABILITY_KEY, VIDEO_AVAILABILITY.off);
  expect(await isAvailable()).toBe(false);
  await redis.set(VIDEO_AVAILABILITY_KEY, VIDEO_AVAILABILITY.on);
  expect(await isAvailable()).toBe(true);
});
