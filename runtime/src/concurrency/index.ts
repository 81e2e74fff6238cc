export { Cached } from './cached.js';
export { KeyedMutex } from './keyed-mutex.js';
export { type SilenceWatch, watchSilence } from './silence.js';
export { unlessAborted, withTimeout } from './timeout.js';
