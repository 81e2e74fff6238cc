import { tmpdir } from 'node:os';
import {
  type DynamicModule,
  type FactoryProvider,
  Global,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Dependency, NotReadyError, ReadinessCheck } from '../health/index.js';
import type { UrlSigning } from './disk/disk-store.js';
import { DiskFullError, requireSpace } from './disk-full.js';
import { ObjectStore } from './object-store.js';
import { StorageConfig } from './storage.config.js';

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

@Injectable()
@ReadinessCheck({ name: 'storage' })
class StorageHealth implements Dependency {
  private readonly folders: readonly string[];

  constructor(
    private readonly store: ObjectStore,
    { settings }: StorageConfig,
  ) {
    this.folders = [tmpdir(), ...(settings.driver === 'disk' ? [settings.root] : [])];
  }

  async check(): Promise<void> {
    await this.store.checkWritable();
    await Promise.all(this.folders.map(requireSpace)).catch((error: Error) => {
      throw error instanceof DiskFullError ? new NotReadyError(error.message) : error;
    });
  }
}

const URL_SIGNING = Symbol('URL signing');

/**
 * Provides the {@link ObjectStore} globally with the readiness check `storage`. Needs a global {@link StorageConfig}.
 * URLs of the disk store can be signed only if imported by `signing`.
 */
@Global()
@Module({
  providers: [
    {
      provide: ObjectStore,
      inject: [StorageConfig, { token: URL_SIGNING, optional: true }],
      useFactory: openObjectStore,
    },
    StorageHealth,
  ],
  exports: [ObjectStore],
})
export class ObjectStoreModule implements OnModuleInit, OnApplicationShutdown {
  constructor(private readonly store: ObjectStore) {}

  /** For a process that issues URLs of the disk store. */
  static signing(signing: Pick<FactoryProvider<UrlSigning>, 'inject' | 'useFactory'>): DynamicModule {
    return { module: ObjectStoreModule, providers: [{ provide: URL_SIGNING, ...signing }] };
  }

  async onModuleInit(): Promise<void> {
    await this.store.removeAbandoned();
  }

  onApplicationShutdown(): Promise<void> {
    return this.store.close();
  }
}
