import { Injectable } from '@nestjs/common';
import { type Dependency, ReadinessCheck } from '../health/index.js';
import { ObjectStore } from './object-store.js';

@Injectable()
@ReadinessCheck({ name: 'storage' })
export class StorageHealth implements Dependency {
  constructor(private readonly store: ObjectStore) {}

  check(): Promise<void> {
    return this.store.checkWritable();
  }
}
