export { Cached } from './cached.js';
export { KeyedMutex } from './keyed-mutex.js';
export { unlessAborted, withTimeout } from './timeout.js';
