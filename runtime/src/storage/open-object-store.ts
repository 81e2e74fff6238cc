import type { UrlSigning } from './disk/disk-store.js';
import type { ObjectStore } from './object-store.js';
import type { StorageConfig } from './storage.config.js';

/**
 * Loads only the adapter in use: the AWS SDK takes a while.
 * @param signing for the disk store; S3 signs with its credentials
 */
export async function openObjectStore({ settings }: StorageConfig, signing?: UrlSigning): Promise<ObjectStore> {
  if (settings.driver === 'disk') {
    const { DiskStore } = await import('./disk/disk-store.js');
    return new DiskStore(settings.root, signing);
  }
  const { S3Store } = await import('./s3/s3-store.js');
  return new S3Store(settings);
}
