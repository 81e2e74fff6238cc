export * from './keyed-mutex.js';
