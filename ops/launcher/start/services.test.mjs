import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../setup/environment.mjs';
import { missingParts, productEnvironments } from './services.mjs';

const secrets = {
  CLEARFRAME_JWT_SECRET: 'jwt',
  CLEARFRAME_SIGNING_SECRET: 'signing',
  CLEARFRAME_INTERNAL_SECRET: 'internal',
  CLEARFRAME_COOKIE_SECRET: 'cookie',
  CLEARFRAME_FINGERPRINT_SECRET: 'fingerprint',
};
const { api, worker, web } = productEnvironments({
  // Each process gets only the variables it needs.
  env: { ...secrets, HOME: '/home/ada', DATABASE_URL: 'mine', REDIS_URL: 'mine', CLEARFRAME_STAFF_PASSWORD: 'staff' },
  settings: readSettings({ API_PORT: '4100' }, '/checkout'),
  secrets,
  databaseUrl: 'postgres://own',
  redisUrl: 'redis://own',
});

describe('the processes of the product', () => {
  it('share their locations', () => {
    for (const env of [api, worker, web]) {
      expect(env).toMatchObject({
        HOME: '/home/ada',
        NODE_ENV: 'production',
        CLEARFRAME_ENV: 'local',
        API_URL: 'http://127.0.0.1:4100',
        PUBLIC_URL: 'http://localhost:3000',
        CLEARFRAME_DATA: '/checkout/.data',
        TMPDIR: '/checkout/.data/tmp',
      });
    }
  });

  it('give api every secret except the cookie secret of web', () => {
    const { CLEARFRAME_COOKIE_SECRET: _ofWeb, ...rest } = secrets;
    expect(api).toMatchObject({ ...rest, DATABASE_URL: 'postgres://own', REDIS_URL: 'redis://own', API_ROLE: 'all' });
    expect(api).not.toHaveProperty('CLEARFRAME_COOKIE_SECRET');
  });

  it('give the worker neither database nor secrets', () => {
    expect(worker).toMatchObject({ REDIS_URL: 'redis://own' });
    for (const name of ['DATABASE_URL', 'CLEARFRAME_STAFF_PASSWORD', ...Object.keys(secrets)]) {
      expect(worker).not.toHaveProperty(name);
    }
  });

  it('give web the secrets of its cookies and of calls to api', () => {
    expect(web).toMatchObject({ CLEARFRAME_COOKIE_SECRET: 'cookie', CLEARFRAME_INTERNAL_SECRET: 'internal' });
    for (const name of [
      'DATABASE_URL',
      'REDIS_URL',
      'CLEARFRAME_JWT_SECRET',
      'CLEARFRAME_SIGNING_SECRET',
      'CLEARFRAME_FINGERPRINT_SECRET',
    ]) {
      expect(web).not.toHaveProperty(name);
    }
  });
});

it.each([
  ['down', [expect.stringMatching(/^videos are off, because .* install ffmpeg/)]],
  ['up', []],
])('the launcher says that videos are off while the worker reports them as %s', async (video, lines) => {
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ status: 'degraded', dependencies: { redis: 'up', video } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const settings = readSettings({ WORKER_PORT: String(address.port) }, '/checkout');
  try {
    expect(await missingParts(settings, { WORKER_HOST: '127.0.0.1' })).toEqual(lines);
  } finally {
    server.close();
  }
});
