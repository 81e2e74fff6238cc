import { createHash } from 'node:crypto';
import { megabytes } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { afterAll, beforeAll, vi } from 'vitest';
import { type S3Server, startS3Server } from '../../../../runtime/test/s3-server.js';
import { startApi, type TestApi } from '../application.js';
import { picture } from '../pictures.js';
import type { Announced, Visitor } from '../visitor.js';
import { tus } from './tus-client.js';

export const SIZE = megabytes(9);
export const HALF = megabytes(4);
export const FILE = picture.jpeg(SIZE);
export const sha256 = createHash('sha256').update(FILE).digest('hex');

export type Resumable = Announced & { readonly resumable_url: string };

export function useResumableUploads(driver: 'disk' | 's3') {
  let server: S3Server | null = null;
  let api: TestApi;
  let visitor: Visitor;
  beforeAll(async () => {
    if (driver === 's3') {
      server = await startS3Server();
      for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
    }
    api = await startApi(server?.environment);
    visitor = await api.guest();
  });
  afterAll(async () => {
    await api.stop();
    await server?.stop();
    vi.unstubAllEnvs();
  });
  const store = () => api.app.get(ObjectStore);
  return {
    api: () => api,
    visitor: () => visitor,
    store,
    async announce(input: object = {}): Promise<Resumable> {
      const announced = await visitor.announce({ size_bytes: SIZE, ...input });
      if (!announced.resumable_url) throw new Error('no address for a resumable upload');
      return { ...announced, resumable_url: announced.resumable_url };
    },
    offsetOf: async ({ resumable_url }: Resumable) => (await tus('HEAD', resumable_url)).offset,
    process: ({ bulk_upload_id }: Announced) => visitor.post(`/tasks/bulk-upload/${bulk_upload_id}/process`),
    async storedKeys(taskId: string): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of store().list('')) if (key.includes(taskId)) keys.push(key);
      return keys;
    },
  };
}
