import { LogConfig } from '@clearframe/runtime/logging';
import { RedisConfig } from '@clearframe/runtime/redis';
import { describe, expect, it } from 'vitest';
import { JobsConfig, readNiceness, ServerConfig } from './config.js';
import { InferenceConfig } from './inference.config.js';

describe('configuration', () => {
  it('has defaults', () => {
    expect(ServerConfig.fromEnvironment({})).toMatchObject({ environment: 'local', port: 4001, host: '127.0.0.1' });
    expect(JobsConfig.fromEnvironment({ WORKER_CONCURRENCY: '' })).toMatchObject({
      concurrency: { images: 1, colors: 1, renders: 2, videos: 1 },
      queues: ['images', 'colors', 'large', 'renders', 'videos'],
      maxStalledCount: 3,
    });
    expect(InferenceConfig.fromEnvironment({}).childEnvironment).toEqual({});
    expect(readNiceness({})).toBe(5);
  });

  it('passes the configuration of the networks on to their process', () => {
    const given = {
      WORKER_INFERENCE_THREADS: '3',
      WORKER_INFERENCE_PROVIDERS: 'cuda, cpu',
      CLEARFRAME_MODELS_DIR: '/srv/models',
    };
    const config = InferenceConfig.fromEnvironment(given);
    expect(config).toMatchObject({ threads: 3, providers: ['cuda', 'cpu'], modelsFolder: '/srv/models' });
    expect(InferenceConfig.fromEnvironment(config.childEnvironment)).toEqual(config);
  });

  it('reads the list of queues', () => {
    expect(JobsConfig.fromEnvironment({ WORKER_QUEUES: 'renders, colors' }).queues).toEqual(['renders', 'colors']);
  });

  it.each([
    ['REDIS_URL', () => RedisConfig.fromEnvironment({})],
    ['REDIS_URL', () => RedisConfig.fromEnvironment({ REDIS_URL: 'http://localhost' })],
    ['WORKER_PORT', () => ServerConfig.fromEnvironment({ WORKER_PORT: '70000' })],
    ['LOG_LEVEL', () => LogConfig.fromEnvironment({ LOG_LEVEL: 'loud' })],
    ['CLEARFRAME_ENV', () => ServerConfig.fromEnvironment({ CLEARFRAME_ENV: 'staging' })],
    ['WORKER_CONCURRENCY', () => JobsConfig.fromEnvironment({ WORKER_CONCURRENCY: 'many' })],
    ['WORKER_QUEUES', () => JobsConfig.fromEnvironment({ WORKER_QUEUES: 'images,sounds' })],
    ['WORKER_INFERENCE_PROVIDERS', () => InferenceConfig.fromEnvironment({ WORKER_INFERENCE_PROVIDERS: 'gpu' })],
    ['WORKER_INFERENCE_THREADS', () => InferenceConfig.fromEnvironment({ WORKER_INFERENCE_THREADS: '0' })],
  ])('names an unusable %s', (variable, read) => {
    expect(read).toThrow(new RegExp(`^${variable}: `));
  });
});
