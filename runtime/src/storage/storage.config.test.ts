import { describe, expect, it } from 'vitest';
import { StorageConfig } from './storage.config.js';

const settingsOf = (environment: Record<string, string>) => StorageConfig.fromEnvironment(environment).settings;

describe('StorageConfig', () => {
  it('stores objects in a folder of the data by default', () => {
    expect(settingsOf({ CLEARFRAME_DATA: '/data' })).toEqual({ driver: 'disk', root: '/data/media' });
  });

  it('reads the settings of S3', () => {
    expect(settingsOf({ STORAGE_DRIVER: 's3', S3_BUCKET: 'photos', S3_REGION: 'eu-central-1' })).toEqual({
      driver: 's3',
      bucket: 'photos',
      region: 'eu-central-1',
      forcePathStyle: false,
    });
    const own = { S3_ENDPOINT: 'http://minio:9000', S3_FORCE_PATH_STYLE: 'true' };
    expect(settingsOf({ STORAGE_DRIVER: 's3', S3_BUCKET: 'photos', ...own })).toMatchObject({
      endpoint: 'http://minio:9000',
      publicEndpoint: 'http://minio:9000',
      forcePathStyle: true,
    });
  });

  it.each([
    ['STORAGE_DRIVER', { STORAGE_DRIVER: 'floppy' }],
    ['S3_BUCKET', { STORAGE_DRIVER: 's3' }],
    ['S3_ENDPOINT', { STORAGE_DRIVER: 's3', S3_BUCKET: 'photos', S3_ENDPOINT: 'minio:9000' }],
    ['S3_FORCE_PATH_STYLE', { STORAGE_DRIVER: 's3', S3_BUCKET: 'photos', S3_FORCE_PATH_STYLE: 'maybe' }],
  ])('names an unusable %s', (variable, environment) => {
    expect(() => settingsOf(environment)).toThrow(new RegExp(`^${variable}: `));
  });
});
