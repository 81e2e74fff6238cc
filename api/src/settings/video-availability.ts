import { inMilliseconds, VIDEO_AVAILABILITY, VIDEO_AVAILABILITY_KEY } from '@clearframe/contract';
import { RedisClient } from '@clearframe/runtime/redis';
import { Injectable } from '@nestjs/common';

const REMEMBERED_MS = inMilliseconds.seconds(5);

/** Whether workers can enhance videos. */
@Injectable()
export class VideoAvailability {
  private isOff = false;
  private readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly redis: RedisClient) {}

  /** True unless all workers that reported have no ffmpeg. */
  async isAvailable(): Promise<boolean> {
    if (performance.now() - this.readAt > REMEMBERED_MS) {
      this.readAt = performance.now();
      const availability = await this.redis.get(VIDEO_AVAILABILITY_KEY).catch(() => null);
      this.isOff = availability === VIDEO_AVAILABILITY.off;
    }
    return !this.isOff;
  }
}
