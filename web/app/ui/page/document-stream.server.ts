import { Transform } from 'node:stream';

/**
 * Removes NUL bytes from a page. React 18 writes its buffer of 2048 bytes whole, also when a character of several bytes
 * no longer fitted, and browsers show the zeros left at its end as U+FFFD in attributes. HTML has no NUL of its own.
 */
export const documentStream = (): Transform =>
  new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => done(null, chunk.includes(0) ? chunk.filter(Boolean) : chunk),
  });
