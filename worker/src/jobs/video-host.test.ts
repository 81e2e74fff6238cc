import 'reflect-metadata';
import { VIDEO_AVAILABILITY_KEY } from '@clearframe/contract';
import { ConfigModule } from '@clearframe/runtime/config';
import { LogConfig, LoggingModule } from '@clearframe/runtime/logging';
import { RedisConfig, RedisModule } from '@clearframe/runtime/redis';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { JobsConfig, VideoConfig } from '../platform/config.js';
import { InferenceConfig } from '../platform/inference.config.js';
import { testRedis } from '../test/redis.js';
import { VideoHost, withAvailableQueues } from './video-host.js';

const REDIS_DATABASE = 19;

it.each([
  ['that videos are off without ffmpeg', { FFMPEG_PATH: '/nowhere/ffmpeg' }, 'off'],
  ['that videos are on with ffmpeg', {}, 'on'],
  ['nothing of videos when it has ffmpeg and takes other jobs only', { WORKER_QUEUES: 'images' }, null],
])('a worker says %s', async (_, change, said) => {
  const redisUrl = await testRedis(REDIS_DATABASE);
  const given = { REDIS_URL: redisUrl, LOG_LEVEL: 'silent', ...change };
  const environment = await withAvailableQueues(given);
  const concerns = [InferenceConfig, JobsConfig, LogConfig, RedisConfig, VideoConfig];
  class TestModule {}
  const app = await NestFactory.createApplicationContext(
    {
      module: TestModule,
      imports: [ConfigModule.from(environment, concerns), LoggingModule.forService('worker'), RedisModule],
      providers: [VideoHost],
    },
    { logger: false, abortOnError: false },
  );
  const redis = new Redis(redisUrl);
  try {
    await expect.poll(() => redis.get(VIDEO_AVAILABILITY_KEY)).toBe(said);
  } finally {
    redis.disconnect();
    await app.close();
  }
});

const missing = { FFMPEG_PATH: '/nowhere/ffmpeg', FFPROBE_PATH: '/nowhere/ffprobe' };

it('takes no videos without ffmpeg', async () => {
  expect((await withAvailableQueues(missing)).WORKER_QUEUES).toBe('images,colors,large,renders');
  expect((await withAvailableQueues({ ...missing, WORKER_QUEUES: 'renders,videos' })).WORKER_QUEUES).toBe('renders');
  expect((await withAvailableQueues({ ...missing, WORKER_QUEUES: 'images' })).WORKER_QUEUES).toBe('images');
  expect((await withAvailableQueues({})).WORKER_QUEUES).toBeUndefined();
});
