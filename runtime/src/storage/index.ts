export type { UrlSigning } from './disk/disk-store.js';
export { DiskFullError, namingFullDisk } from './disk-full.js';
export * from './object-store.js';
export { type SignedClaims, signQuery, type Verification, verifyQuery } from './signed-url.js';
export { type DiskSettings, type S3Settings, StorageConfig } from './storage.config.js';
export { ObjectStoreModule, openObjectStore } from './storage.module.js';
