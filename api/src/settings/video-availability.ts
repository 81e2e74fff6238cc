import { inMilliseconds, VIDEO_AVAILABILITY, VIDEO_AVAILABILITY_KEY } from '@clearframe/contract';
import { Cached } from '@clearframe/runtime/concurrency';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';

const CACHE_MS = inMilliseconds.seconds(5);

/** Whether workers can enhance videos. */
@Injectable()
export class VideoAvailability {
  private readonly cached = new Cached(CACHE_MS, async () => {
    const availability = await this.redis.get(VIDEO_AVAILABILITY_KEY).catch(() => null);
    return availability !== VIDEO_AVAILABILITY.off;
  });

  constructor(private readonly redis: RedisClient) {}

  /** True unless all workers that reported have no ffmpeg; also while Redis is unavailable. */
  isAvailable(): Promise<boolean> {
    return this.cached.get();
  }
}
